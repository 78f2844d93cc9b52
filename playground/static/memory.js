// What the browser stores for this page. Where it blocks site data, even naming a storage is an error.

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
    // Forgotten when the page is closed.
  }
}
