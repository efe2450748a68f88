// Limits of this folder.

/** Maximum length of the name of an exported file, without its extension. File systems allow 255 bytes, and a character has up to 4. */
export const EXPORT_NAME_CHARS_MAX = 60
