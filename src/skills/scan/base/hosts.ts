// Classifies hosts and paths by their text alone: hosts outside the machine and its network, and files that
// hold secrets. Looks up nothing.

/** Hosts of URLs that only identify a schema; nobody fetches them. */
const SCHEMA_HOSTS =
  /^(?:www\.w3\.org|schemas?\..{1,200}|.{1,200}\.schemas?\..{1,200}|(?:www\.)?purl\.org|ns\.adobe\.com|xmlns\.com|json-schema\.org|www\.sitemaps\.org|www\.inkscape\.org|sodipodi\.sourceforge\.net|xml\.apache\.org|maven\.apache\.org|docbook\.org|relaxng\.org)$/i
const LOCAL_HOSTS =
  /^(?:localhost|.{1,200}\.localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|0\.0\.0\.0|\[::1?\]|10\.\d{1,3}\.\d{1,3}\.\d{1,3}|192\.168\.\d{1,3}\.\d{1,3}|172\.(?:1[6-9]|2\d|3[01])\.\d{1,3}\.\d{1,3})$/i
const METADATA_HOSTS =
  /^(?:169\.254\.169\.254|169\.254\.170\.2|100\.100\.100\.200|metadata\.google\.internal|\[fd00:ec2::254\])$/i

/** Host names that are not public: names in examples, in private networks, and of services in a cluster. */
const PLACEHOLDER_HOSTS =
  /^(?:[^.:[\]]{1,200}|(?:(?:www|api|your|my)\.)?example\.(?:com|org|net)|(?:your|my|some)[\w-]{0,40}\..{1,200}|.{1,200}\.(?:example|test|invalid|local|internal|lan|home|corp|svc|intranet|localdomain))$/i

export type Reach = 'external' | 'local' | 'metadata' | 'none'

/** Where the host of a URL is. 'none' for the identifier of a schema, a pattern or a placeholder. */
export function reachOf(url: string): Reach {
  const host = /^[a-z+]{2,10}:\/\/(?:[^\s/?#@]{0,100}@)?(\[[0-9a-f:.]{2,45}\]|[^\s/?#:[\]]{1,253})/i.exec(
    url,
  )?.[1]
  if (host === undefined || !/^[\p{L}\p{N}.[\]:_-]+$/u.test(host) || !/[\p{L}\p{N}:]/u.test(host))
    return 'none'
  if (METADATA_HOSTS.test(host)) return 'metadata'
  if (LOCAL_HOSTS.test(host)) return 'local'
  return SCHEMA_HOSTS.test(host) || PLACEHOLDER_HOSTS.test(host) ? 'none' : 'external'
}

/** True for a URL of an external host. */
export function isOutboundUrl(text: string): boolean {
  return /^(?:https?|wss?|ftp):\/\//i.test(text) && reachOf(text.slice(0, 500)) === 'external'
}

const SENSITIVE_PATHS =
  /(?:^|[/\\~\s"'`=@])(?:\.ssh(?:$|[/\\])|id_(?:rsa|dsa|ecdsa|ed25519)(?![\w.])|\.aws[/\\]credentials|\.git-credentials|\.netrc(?!\w)|\.pypirc(?!\w)|\.kube[/\\]config|\.docker[/\\]config\.json|\.gnupg(?:$|[/\\])|\.config[/\\]gcloud)|\/etc\/(?:passwd|shadow)(?!\w)|\/var\/run\/docker\.sock|Library[/\\]Keychains/

/**
 * Files in which browsers and wallets store personal data. A script that sends data has no reason to read
 * them.
 */
const PERSONAL_PATHS =
  /(?:^|[/\\])(?:Login Data|Local State|Web Data|logins\.json|key[34]\.db|cookies\.sqlite|Cookies|wallet\.dat|exodus\.wallet)$|Local Extension Settings|\.(?:electrum|bitcoin|ethereum|config[/\\]solana)(?:$|[/\\])|Ethereum[/\\]keystore|solana[/\\]id\.json|User Data[/\\]Default|\.mozilla[/\\]firefox|Firefox[/\\]Profiles|BraveSoftware|Google[/\\]Chrome|google-chrome[/\\]|^nkbihfbeogaeaoehlefnkodbefgpgknn$/

export function isPersonalPath(text: string): boolean {
  return PERSONAL_PATHS.test(text.slice(0, 1_000))
}

/**
 * Configuration files, which usually hold keys. A script may read them to use a service, but not to send data
 * to a drop address.
 */
export function isSettingsPath(text: string): boolean {
  return /(?:^|[/\\*])\.(?:env(?:[.*]|$)|npmrc$|bash_history$|zsh_history$)/.test(text.slice(0, 1_000))
}

const DROP_ADDRESSES =
  /^https?:\/\/(?:[\w-]{1,63}\.){0,4}(?:webhook\.site|requestbin\.\w{2,4}|pipedream\.net|ngrok(?:-free)?\.(?:io|app|dev)|transfer\.sh|file\.io|0x0\.st|oast\.\w{2,6}|interact\.sh|pastebin\.com|discord(?:app)?\.com\/api\/webhooks|api\.telegram\.org\/bot)|^https?:\/\/(?!127\.|10\.|192\.168\.|0\.0\.0\.0)\d{1,3}(?:\.\d{1,3}){3}\b/i

/** True for a site where anyone can collect data anonymously, and for a public IP address. */
export function isDropAddress(text: string): boolean {
  return DROP_ADDRESSES.test(text.slice(0, 500))
}

/** True for text that names a file with keys or accounts, or the socket of Docker. */
export function isSensitivePath(text: string): boolean {
  return SENSITIVE_PATHS.test(text.slice(0, 1_000))
}
