// Files that file managers leave behind. No skill means them; they are left out on every way in.

/** True for what macOS puts beside files: `__MACOSX/…`, `.DS_Store`, `._name`. */
export function isLitter(path: string): boolean {
  return path.split('/').some((part) => part === '__MACOSX' || part === '.DS_Store' || part.startsWith('._'))
}
