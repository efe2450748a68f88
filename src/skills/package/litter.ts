// Files that file managers leave behind. Every import leaves them out.

/** Files that macOS adds: `__MACOSX/…`, `.DS_Store`, `._name`. */
export function isLitter(path: string): boolean {
  return path.split('/').some((part) => part === '__MACOSX' || part === '.DS_Store' || part.startsWith('._'))
}
