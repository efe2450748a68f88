// Recognizes web addresses in text. The page links them, and a fetch may go to them because a person wrote
// them. Pure.

/**
 * File extensions. Some are also top-level domains, such as `md`, `py` and `sh`, but `README.md` is a file.
 */
const FILE_EXTENSIONS = new Set(
  (
    'adoc apk app asm avi bash bat bin bmp bz cc cfg cjs clj cmd conf cpp cs css csv cts cxx dart db deb dll dmg doc docx ' +
    'dylib env epub erl ex exe exs fish flac fs gif go gradle graphql gz heic hh hpp hs htm html ico ini ipynb iso jar java ' +
    'jl jpeg jpg js json jsonl jsx kt kts less lib lock log lua md mdx mjs mkv ml mli mm mov mts nim odp ods odt ogg pdf php ' +
    'pl plist png pm ppt pptx properties proto ps psd py pyc pyi rar rb rpm rs rst rtf sass scala scss sh so sql sqlite svelte ' +
    'svg swift tar tex tf tgz tiff toml ts tsv tsx txt vb vue wasm wav webm webp xls xlsx xml xz yaml yml zig zip zsh zst'
  ).split(' '),
)

/**
 * Whether text is an address that a person wrote: with a scheme, with `www.`, or a host followed by a path. A
 * dotted name alone does not count (`example.com`, `README.md`), and neither does a file name followed by a
 * path (`Site.app/Contents`).
 */
export function isWrittenAddress(text: string): boolean {
  if (/^https?:\/\/./i.test(text)) return true
  const [, host = '', slash] = /^([^/?#:]*)(?::\d{1,5})?(\/)?/.exec(text) ?? []
  const labels = host.split('.')
  if (labels.length < 2 || labels.includes('')) return false
  if (labels[0]?.toLowerCase() === 'www' && labels.length > 2) return true
  return slash === '/' && !isFileName(host)
}

/**
 * Whether text is a file name such as `README.md` or `Site.app/Contents`. Decided by the extension, even if
 * it is also a top-level domain.
 */
export function isFileName(text: string): boolean {
  const [host = ''] = text.split(/[/?#:]/, 1)
  return FILE_EXTENSIONS.has(host.split('.').at(-1)?.toLowerCase() ?? '')
}

/**
 * Matches addresses as people write them: with or without a scheme, at the end of a sentence, in brackets.
 * Text within a path is not a host.
 */
export const WRITTEN_ADDRESS =
  /https?:\/\/[^\s<>"'`]+|(?<![\p{L}\p{M}\p{N}_@./\\~$%-])(?:[a-z0-9-]{1,63}\.)+[a-z]{2,24}(?::\d{1,5})?(?:\/[^\s<>"'`]*)?/giu

/**
 * Removes trailing punctuation that may belong to the sentence. Not a pattern, because that would take
 * quadratic time on long runs of dots.
 */
export function trimPunctuation(text: string): string {
  let end = text.length
  while (end > 0 && '.,;:!?*_)]}'.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}

/**
 * Replaces each address with its ASCII form, in which it is sent: a host as `xn--…`, a path with `%C3%B6`.
 */
export function withAsciiAddresses(text: string): string {
  return text.replace(WRITTEN_ADDRESS, (match) => {
    if (/^[\0-\x7F]*$/.test(match) || !isWrittenAddress(match)) return match
    const address = trimPunctuation(match)
    const scheme = /^https?:\/\//i.test(address) ? '' : 'https://'
    const asciiHref = URL.parse(scheme + address)?.href
    return asciiHref === undefined ? match : asciiHref.slice(scheme.length) + match.slice(address.length)
  })
}
