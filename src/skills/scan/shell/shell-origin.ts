// Determines where text comes from that a shell runs unseen: whether it is decoded or downloaded, and from
// which kind of host. All patterns are bounded.

/**
 * Origins from the least to the most severe. 'named' is a host name over https, or an unknown host; 'bare' is
 * an IP address; 'answer' is the response to data that the command sends.
 */
const ORDER = ['named', 'local', 'cleartext', 'paste', 'bare', 'answer', 'decoded'] as const
export type Origin = (typeof ORDER)[number]

/** True for an origin that no honest skill runs text from. */
export function isGrave(origin: Origin): boolean {
  return ORDER.indexOf(origin) >= ORDER.indexOf('cleartext')
}

export function graver(a: Origin | null, b: Origin | null): Origin | null {
  if (a === null || b === null) return a ?? b
  return ORDER.indexOf(a) >= ORDER.indexOf(b) ? a : b
}

const FETCHES =
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
const DECODES = new RegExp(DECODERS.join('|'))
const URL =
  /\b(?:(https?):\/\/(?:[^\s/@"']{0,80}@)?|(?<![\w/@.-]))((?:\[[0-9a-f:.]{2,45}\])|[\w.-]{1,253})(?=[:/?#"'`)\s|]|$)/gi
const BARE = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\d{8,10}|0x[0-9a-f]{8}|\[[0-9a-f:.]+\])$/i
const LOCAL =
  /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|0\.0\.0\.0|\[::1?\]|10\.\d{1,3}\.\d{1,3}\.\d{1,3}|192\.168\.\d{1,3}\.\d{1,3}|172\.(?:1[6-9]|2\d|3[01])\.\d{1,3}\.\d{1,3})$/i
/** Sites where anyone can upload anonymously, and URL shorteners. */
const PASTE =
  /^(?:[\w-]{1,40}\.)?(?:glot\.io|rentry\.(?:co|org)|pastebin\.com|paste\.ee|paste\.rs|hastebin\.com|ghostbin\.\w{2,4}|dpaste\.(?:com|org)|termbin\.com|ix\.io|sprunge\.us|0x0\.st|transfer\.sh|file\.io|catbox\.moe|gofile\.io|anonfiles\.com|privatebin\.\w{2,4}|controlc\.com|justpaste\.it|webhook\.site|bit\.ly|tinyurl\.com|is\.gd|v\.gd|cutt\.ly|rb\.gy|shorturl\.at|goo\.gl|t\.ly|t\.co|tiny\.cc|ow\.ly|buff\.ly|s\.id)$/i

/** Options with which a downloader sends data, and options that disable certificate checks. */
const SENDS =
  /\s(?:-F|--form|-T|--upload-file|--post-file)[ =]?["']?\S|\s(?:-d|--data(?:-binary|-raw|-urlencode)?)[ =]?["']?(?:\w{1,20}=)?[@$]/
const UNVERIFIED =
  /\bcurl\s[^|\n]{0,120}?\s?(?:(?<=\s)-[a-zA-Z]{0,8}k[a-zA-Z]{0,8}|--insecure)\s|--no-check-certificate\b/

/** Programs that receive text without checking a certificate: DNS look-ups and raw connections. */
const ANSWERS =
  /(?:^|\$\(|`)\s{0,8}(?:sudo\s)?(?:dig|nslookup|drill|kdig|nc|ncat|netcat|telnet|finger|openssl\s{1,4}s_client)\s{1,4}[^\n|]{0,200}[\w-]\.\w/
/** Other programs that print the content of an address. */
const PRINTS =
  /^\s{0,8}(?:lynx\s{1,4}-(?:source|dump)|w3m\s{1,4}-dump\w{0,10}|xh|https?|gh\s{1,4}(?:gist\s{1,4}view|api)|aws\s{1,4}s3\s{1,4}cp|gsutil\s{1,4}cat|rclone\s{1,4}cat)\s/

/** The origin of what a command prints; null if it neither downloads nor decodes. */
export function originOf(command: string): Origin | null {
  if (DECODES.test(command)) return 'decoded'
  if (ANSWERS.test(command)) return 'bare'
  if (!FETCHES.test(command)) return PRINTS.test(command) ? hostsOf(command) : null
  if (SENDS.test(command)) return 'answer'
  return UNVERIFIED.test(command) ? graver('cleartext', hostsOf(command)) : hostsOf(command)
}

/** The most severe origin of the addresses in a command. */
export function hostsOf(command: string): Origin {
  let worst: Origin = 'named'
  for (const [, scheme, host = ''] of command.matchAll(URL))
    worst = graver(worst, gradeOf(scheme, host)) ?? worst
  return worst
}

function gradeOf(scheme: string | undefined, host: string): Origin {
  if (LOCAL.test(host)) return 'local'
  if (BARE.test(host) && (scheme !== undefined || host.includes('.'))) return 'bare'
  if (PASTE.test(host)) return 'paste'
  return scheme?.toLowerCase() === 'http' ? 'cleartext' : 'named'
}
