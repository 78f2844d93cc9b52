// Reads and writes what the browser stores for this page. If it blocks site data, even `window.localStorage` throws.

export function recall(storage, name) {
  try {
    return window[storage].getItem(name);
  } catch {
    return null;
  }
}

export function remember(storage, name, value) {
  try {
    window[storage].setItem(name, value);
  } catch {
    // The value is lost when the page is closed.
  }
}
