// Formats and splits file names.

/** A quoted name, as GNU tools print it in messages. */
export function quotedName(name: string): string {
  if (!name.includes("'")) return `'${name}'`
  if (!/["$`\\!]/.test(name)) return `"${name}"`
  return `'${name.replaceAll("'", String.raw`'\''`)}'`
}

/** The path without trailing slashes, except for the root. */
export function plainPath(path: string): string {
  return path.replace(/(?<=.)\/+$/s, '')
}

export function baseName(path: string): string {
  const plain = path.replace(/\/+$/s, '')
  return plain === '' ? (path === '' ? '' : '/') : plain.slice(plain.lastIndexOf('/') + 1)
}

export function folderName(path: string): string {
  const plain = path.replace(/\/+$/s, '')
  const slash = plain.lastIndexOf('/')
  if (slash === -1) return plain === '' && path !== '' ? '/' : '.'
  return plain.slice(0, slash).replace(/\/+$/s, '') || '/'
}

export function joinedPath(folder: string, name: string): string {
  return folder.endsWith('/') ? folder + name : `${folder}/${name}`
}
