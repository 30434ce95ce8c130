// A reader whose files are missing.
throw new Error('Something is missing.');
