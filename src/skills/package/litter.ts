// Recognizes files that macOS adds to folders and archives. Every import ignores them.

/** Whether macOS adds a file of this path: `__MACOSX/…`, `.DS_Store`, `._name`. */
export function isLitter(path: string): boolean {
  return path.split('/').some((part) => part === '__MACOSX' || part === '.DS_Store' || part.startsWith('._'))
}
