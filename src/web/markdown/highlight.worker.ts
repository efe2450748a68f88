// Colours code away from the page: it can be slow on hostile text, and is ended then.

export {}
