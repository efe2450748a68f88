// Recognizes programs, archives and documents by their first bytes and their names. Unpacks nothing.

const ARCHIVE_SUFFIX =
  /\.(?:zip|tar|tar\.gz|tgz|tar\.bz2|tbz2?|tar\.xz|txz|tar\.zst|7z|rar|whl|jar|war|apk|egg|gz|bz2|xz|zst)$/i
// Documents in zip format. Applications open them as documents, not as archives.
const ZIP_DOCUMENT_SUFFIX =
  /\.(?:doc[xm]|dot[xm]|xls[xmb]|xlt[xm]|ppt[xm]|pot[xm]|pps[xm]|od[tspgf]|ot[tsp]|epub|vsdx|pages|numbers|key|sketch|fig|skp|3mf|usdz|kmz|mxl|xmind|npz|h5p|idml)$/i
const PROGRAM_SUFFIX = /\.(?:exe|dll|com|scr|sys|msi|cpl|ocx)$/i

const hasMagic = (bytes: Uint8Array, ...signature: readonly number[]): boolean =>
  signature.every((byte, index) => bytes[index] === byte)

/** The kind of program, such as "an ELF program"; null for other files. */
export function programKind(path: string, bytes: Uint8Array, isText: boolean): string | null {
  if (hasMagic(bytes, 0x7f, 0x45, 0x4c, 0x46)) return 'an ELF program'
  if (hasMagic(bytes, 0x00, 0x61, 0x73, 0x6d)) return 'a WebAssembly module'
  const magicHex = Array.from(bytes.subarray(0, 4), (byte) => byte.toString(16).padStart(2, '0')).join('')
  if (/^(?:feedfac[ef]|c[ef]faedfe|cafebab[ef]|b[ef]bafeca)$/.test(magicHex))
    return 'a Mach-O program or Java class'
  // Text may also begin with "MZ", so a text file counts as a program only with a program suffix.
  if (hasMagic(bytes, 0x4d, 0x5a) && (!isText || PROGRAM_SUFFIX.test(path))) return 'a Windows program'
  if (/\.py[co]$/i.test(path) && bytes[2] === 0x0d && bytes[3] === 0x0a) return 'compiled Python'
  return null
}

export type ArchiveKind = 'zip' | 'archive' | 'document' | null

/** The kind of archive, by magic number or name; null for other files. */
export function archiveKind(path: string, bytes: Uint8Array): ArchiveKind {
  const isZip = hasMagic(bytes, 0x50, 0x4b, 0x03, 0x04) || hasMagic(bytes, 0x50, 0x4b, 0x05, 0x06)
  if (isZip) return ZIP_DOCUMENT_SUFFIX.test(path) ? 'document' : 'zip'
  const hasArchiveMagic =
    hasMagic(bytes, 0x1f, 0x8b) ||
    hasMagic(bytes, 0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c) ||
    hasMagic(bytes, 0x52, 0x61, 0x72, 0x21, 0x1a, 0x07) ||
    hasMagic(bytes, 0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00) ||
    hasMagic(bytes, 0x28, 0xb5, 0x2f, 0xfd)
  return hasArchiveMagic || ARCHIVE_SUFFIX.test(path) ? 'archive' : null
}
