// Recognizes programs, archives and documents by their first bytes and their names. Unpacks nothing.

const SUFFIX =
  /\.(?:zip|tar|tar\.gz|tgz|tar\.bz2|tbz2?|tar\.xz|txz|tar\.zst|7z|rar|whl|jar|war|apk|egg|gz|bz2|xz|zst)$/i
// Documents in zip format. Applications open them as documents, not as archives.
const DOCUMENT =
  /\.(?:doc[xm]|dot[xm]|xls[xmb]|xlt[xm]|ppt[xm]|pot[xm]|pps[xm]|od[tspgf]|ot[tsp]|epub|vsdx|pages|numbers|key|sketch|fig|skp|3mf|usdz|kmz|mxl|xmind|npz|h5p|idml)$/i
const PROGRAM_SUFFIX = /\.(?:exe|dll|com|scr|sys|msi|cpl|ocx)$/i

const starts = (bytes: Uint8Array, ...magic: readonly number[]): boolean =>
  magic.every((byte, index) => bytes[index] === byte)

/** The kind of program, as a phrase, or null. `text` says whether the bytes are readable text. */
export function programKind(path: string, bytes: Uint8Array, text: boolean): string | null {
  if (starts(bytes, 0x7f, 0x45, 0x4c, 0x46)) return 'an ELF program'
  if (starts(bytes, 0x00, 0x61, 0x73, 0x6d)) return 'a WebAssembly module'
  const [a, b, c, d] = bytes
  const first = [a, b, c, d].map((byte) => (byte ?? 0).toString(16).padStart(2, '0')).join('')
  if (/^(?:feedfac[ef]|c[ef]faedfe|cafebab[ef]|b[ef]bafeca)$/.test(first))
    return 'a Mach-O program or Java class'
  // Text may also begin with "MZ", so a text file counts as a program only with a program suffix.
  if (starts(bytes, 0x4d, 0x5a) && (!text || PROGRAM_SUFFIX.test(path))) return 'a Windows program'
  if (/\.py[co]$/i.test(path) && c === 0x0d && d === 0x0a) return 'compiled Python'
  return null
}

export type Packed = 'zip' | 'archive' | 'document' | null

/** The kind of archive, by magic number or name; null for other files. */
export function packedKind(path: string, bytes: Uint8Array): Packed {
  const zip = starts(bytes, 0x50, 0x4b, 0x03, 0x04) || starts(bytes, 0x50, 0x4b, 0x05, 0x06)
  if (zip) return DOCUMENT.test(path) ? 'document' : 'zip'
  const magic =
    starts(bytes, 0x1f, 0x8b) ||
    starts(bytes, 0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c) ||
    starts(bytes, 0x52, 0x61, 0x72, 0x21, 0x1a, 0x07) ||
    starts(bytes, 0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00) ||
    starts(bytes, 0x28, 0xb5, 0x2f, 0xfd)
  return magic || SUFFIX.test(path) ? 'archive' : null
}
