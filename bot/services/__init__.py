"""The use cases: functions that check and carry out what a person or a worker wants, mostly in one transaction each."""
