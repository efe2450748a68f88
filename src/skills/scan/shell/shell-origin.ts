// Determines the origin of text that a shell runs unseen: whether the text is decoded or downloaded, and from
// which kind of host. All patterns are bounded.

/**
 * Origins from the least to the most severe. 'named' is a host name over https, or an unknown host; 'bare' is
 * an IP address; 'answer' is the response to data that the command sends.
 */
const SEVERITY_ORDER = ['named', 'local', 'cleartext', 'paste', 'bare', 'answer', 'decoded'] as const
export type Origin = (typeof SEVERITY_ORDER)[number]

/** True for an origin from which no honest skill runs text. */
export function isUntrusted(origin: Origin): boolean {
  return SEVERITY_ORDER.indexOf(origin) >= SEVERITY_ORDER.indexOf('cleartext')
}

export function moreSevere(a: Origin | null, b: Origin | null): Origin | null {
  if (a === null || b === null) return a ?? b
  return SEVERITY_ORDER.indexOf(a) >= SEVERITY_ORDER.indexOf(b) ? a : b
}

const DOWNLOADER =
  /(?<![\w./-])(?:curl|wget|aria2c|bitsadmin|certutil(?=[^|\n]{0,80}urlcache))(?:\.exe)?(?![\w./-])|\b(?:iwr|irm|Invoke-WebRequest|Invoke-RestMethod|DownloadString)\b/i
/** Programs that decode unreadable data into text, and the equivalent calls in other languages. */
const DECODERS = [
  String.raw`\bbase(?:64|32)\s(?:[^|\n;&]{0,60}\s)?(?:-[a-zA-Z]{0,3}[dD][a-zA-Z]{0,3}|--?decode)\b`,
  String.raw`\bxxd\s{1,4}(?:-p\s{1,4})?-r|\buudecode\b|-m\s{1,4}base64\s{1,4}-d\b`,
  String.raw`\bopenssl\s{1,4}(?:enc|base64|aes[\w-]{1,20}|des[\w-]{0,20})\b[^|\n]{0,120}\s-(?:d|D|A\s-d)\b`,
  String.raw`\bgpg2?\s[^|\n]{0,120}(?:\s-[a-zA-Z]{0,3}d\b|--decrypt\b)[^|\n]{0,80}`,
  String.raw`\b(?:b64decode|base64_decode|decode_base64|decode64|FromBase64String|fromhex|unhexlify|fromCharCode)\b`,
  String.raw`\bBuffer\.from\s?\(|\batob\s?\(|\bpack\s?\(?\s?["'](?:H|C|u)|(?:\bchr\s?\(?\d{1,3}\)?[\s.,+"']{0,8}){3}`,
  String.raw`\bprintf\b[^|\n]{0,8}%c(?:%c){2}`,
  String.raw`(?:\\x[0-9a-fA-F]{2}){4}|(?:\\0?[0-7]{3}){4}|(?:\\u[0-9a-fA-F]{4}){4}`,
  String.raw`(?:^|\|)\s{0,4}rev\s{0,4}$|\btr\s{1,4}["']?A-Za-z["']?\s{1,4}["']?N-ZA-M`,
]
const DECODER = new RegExp(DECODERS.join('|'))
const URL =
  /\b(?:(https?):\/\/(?:[^\s/@"']{0,80}@)?|(?<![\w/@.-]))((?:\[[0-9a-f:.]{2,45}\])|[\w.-]{1,253})(?=[:/?#"'`)\s|]|$)/gi
const IP_ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\d{8,10}|0x[0-9a-f]{8}|\[[0-9a-f:.]+\])$/i
const LOCAL_HOST =
  /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|0\.0\.0\.0|\[::1?\]|10\.\d{1,3}\.\d{1,3}\.\d{1,3}|192\.168\.\d{1,3}\.\d{1,3}|172\.(?:1[6-9]|2\d|3[01])\.\d{1,3}\.\d{1,3})$/i
/** Sites where anyone can upload anonymously, and URL shorteners. */
const PASTE_SITE =
  /^(?:[\w-]{1,40}\.)?(?:glot\.io|rentry\.(?:co|org)|pastebin\.com|paste\.ee|paste\.rs|hastebin\.com|ghostbin\.\w{2,4}|dpaste\.(?:com|org)|termbin\.com|ix\.io|sprunge\.us|0x0\.st|transfer\.sh|file\.io|catbox\.moe|gofile\.io|anonfiles\.com|privatebin\.\w{2,4}|controlc\.com|justpaste\.it|webhook\.site|bit\.ly|tinyurl\.com|is\.gd|v\.gd|cutt\.ly|rb\.gy|shorturl\.at|goo\.gl|t\.ly|t\.co|tiny\.cc|ow\.ly|buff\.ly|s\.id)$/i

/** Options with which a downloader sends data, and options that disable certificate checks. */
const SENDS_DATA =
  /\s(?:-F|--form|-T|--upload-file|--post-file)[ =]?["']?\S|\s(?:-d|--data(?:-binary|-raw|-urlencode)?)[ =]?["']?(?:\w{1,20}=)?[@$]/
const UNVERIFIED =
  /\bcurl\s[^|\n]{0,120}?\s?(?:(?<=\s)-[a-zA-Z]{0,8}k[a-zA-Z]{0,8}|--insecure)\s|--no-check-certificate\b/

/** Programs that receive text without checking a certificate: DNS look-ups and raw connections. */
const RAW_RECEIVER =
  /(?:^|\$\(|`)\s{0,8}(?:sudo\s)?(?:dig|nslookup|drill|kdig|nc|ncat|netcat|telnet|finger|openssl\s{1,4}s_client)\s{1,4}[^\n|]{0,200}[\w-]\.\w/
/** Other programs that print the content of an address. */
const ADDRESS_PRINTER =
  /^\s{0,8}(?:lynx\s{1,4}-(?:source|dump)|w3m\s{1,4}-dump\w{0,10}|xh|https?|gh\s{1,4}(?:gist\s{1,4}view|api)|aws\s{1,4}s3\s{1,4}cp|gsutil\s{1,4}cat|rclone\s{1,4}cat)\s/

/** The origin of what a command prints; null if it neither downloads nor decodes. */
export function originOfCommand(command: string): Origin | null {
  if (DECODER.test(command)) return 'decoded'
  if (RAW_RECEIVER.test(command)) return 'bare'
  if (!DOWNLOADER.test(command)) return ADDRESS_PRINTER.test(command) ? originOfHosts(command) : null
  if (SENDS_DATA.test(command)) return 'answer'
  return UNVERIFIED.test(command) ? moreSevere('cleartext', originOfHosts(command)) : originOfHosts(command)
}

/** The most severe origin of the addresses in a command. */
export function originOfHosts(command: string): Origin {
  let worst: Origin = 'named'
  for (const [, scheme, host = ''] of command.matchAll(URL))
    worst = moreSevere(worst, originOfHost(scheme, host)) ?? worst
  return worst
}

function originOfHost(scheme: string | undefined, host: string): Origin {
  if (LOCAL_HOST.test(host)) return 'local'
  if (IP_ADDRESS.test(host) && (scheme !== undefined || host.includes('.'))) return 'bare'
  if (PASTE_SITE.test(host)) return 'paste'
  return scheme?.toLowerCase() === 'http' ? 'cleartext' : 'named'
}
