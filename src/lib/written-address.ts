// Which words of a text are an address of the web, and which only look like one: the page makes links of them, and a fetch
// may go there because a person wrote them. Pure.

/** Endings of file names, among them top-level domains such as `md`, `py` and `sh`: `README.md` is a file. */
const FILE_ENDINGS = new Set(
  (
    'adoc apk app asm avi bash bat bin bmp bz cc cfg cjs clj cmd conf cpp cs css csv cts cxx dart db deb dll dmg doc docx ' +
    'dylib env epub erl ex exe exs fish flac fs gif go gradle graphql gz heic hh hpp hs htm html ico ini ipynb iso jar java ' +
    'jl jpeg jpg js json jsonl jsx kt kts less lib lock log lua md mdx mjs mkv ml mli mm mov mts nim odp ods odt ogg pdf php ' +
    'pl plist png pm ppt pptx properties proto ps psd py pyc pyi rar rb rpm rs rst rtf sass scala scss sh so sql sqlite svelte ' +
    'svg swift tar tex tf tgz tiff toml ts tsv tsx txt vb vue wasm wav webm webp xls xlsx xml xz yaml yml zig zip zsh zst'
  ).split(' '),
)

/**
 * Whether a person wrote an address: with a scheme, with `www.`, or a host with a path behind it. A name with dots alone
 * is none (`example.com`, `README.md`), nor is a file's name with a path behind it (`Site.app/Contents`).
 */
export function isWrittenAddress(text: string): boolean {
  if (/^https?:\/\/./i.test(text)) return true
  const [, host = '', slash] = /^([^/?#:]*)(?::\d{1,5})?(\/)?/.exec(text) ?? []
  const labels = host.split('.')
  if (labels.length < 2 || labels.includes('')) return false
  if (labels[0]?.toLowerCase() === 'www' && labels.length > 2) return true
  return slash === '/' && !isFileName(host)
}

/** `README.md`, `Site.app/Contents`: by its ending, although that may be a top-level domain. */
export function isFileName(text: string): boolean {
  const [host = ''] = text.split(/[/?#:]/, 1)
  return FILE_ENDINGS.has(host.split('.').at(-1)?.toLowerCase() ?? '')
}

/** As people write them: with or without scheme, at a sentence's end, in brackets. What stands within a path is no host. */
export const WRITTEN =
  /https?:\/\/[^\s<>"'`]+|(?<![\p{L}\p{M}\p{N}_@./\\~$%-])(?:[a-z0-9-]{1,63}\.)+[a-z]{2,24}(?::\d{1,5})?(?:\/[^\s<>"'`]*)?/giu

/** Without what may be the sentence's. By hand: a pattern would look at each row of dots from each of them on. */
export function withoutEnd(written: string): string {
  let end = written.length
  while (end > 0 && '.,;:!?*_)]}'.includes(written.charAt(end - 1))) end -= 1
  return written.slice(0, end)
}

/** The text with each address in it as it is sent, in ASCII: a host as `xn--…`, a path with `%C3%B6`. */
export function withAsciiAddresses(text: string): string {
  return text.replace(WRITTEN, (written) => {
    if (/^[\0-\x7F]*$/.test(written) || !isWrittenAddress(written)) return written
    const address = withoutEnd(written)
    const scheme = /^https?:\/\//i.test(address) ? '' : 'https://'
    const sent = URL.parse(scheme + address)?.href
    return sent === undefined ? written : sent.slice(scheme.length) + written.slice(address.length)
  })
}
