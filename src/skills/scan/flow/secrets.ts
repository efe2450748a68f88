// Recognizes keys, tokens and accounts: files that hold them, programs that print them, and environment
// variables that are named after a service.

/** Files that hold keys. Public keys, configurations without keys, and samples do not match. */
export const KEY_FILES = new RegExp(
  [
    String.raw`(?<![\w.])\.ssh(?![\w.-])(?!\/(?:config|known_hosts|authorized_keys|environment|[\w.*-]{1,60}\.pub))`,
    String.raw`\bid_(?:rsa|dsa|ecdsa|ed25519)\b(?!\.pub)`,
    String.raw`(?<![\w.])\.(?:netrc|npmrc|pypirc|git-credentials|pgpass|my\.cnf|vault-token|dockercfg)(?![\w.-])`,
    String.raw`(?<![\w.])\.(?:aws|gnupg|azure|electrum|bitcoin|ethereum|password-store)(?![\w.-])(?!\/config\b)`,
    String.raw`\.kube\/config|\.docker\/config\.json|\.config\/(?:gcloud|gh(?:\/hosts\.yml)?(?![\w-])|hub|op|rclone|solana|git\/credentials|configstore)`,
    String.raw`\.(?:claude|codex|gemini|cursor|openclaw|clawdbot|moltbot)\/(?:\.?credentials|auth|oauth_creds|\.env)\b`,
    String.raw`(?<![\w.])\.env(?:\.(?:local|production|prod|staging|development|\*)|\*)?(?![\w.([-])`,
    String.raw`\/etc\/shadow|\b(?:bash|zsh|psql|mysql|python)_history\b|\/proc\/(?:self|\d+|\*|\$\w+)\/environ`,
    String.raw`Login Data|logins\.json|key4\.db|Local Extension Settings|\/Cookies\b|cookies\.sqlite|wallet\.dat|exodus\.wallet|login\.keychain|Library\/Keychains|local\/share\/keyrings|\.cargo\/credentials|application_default_credentials`,
  ].join('|'),
)

/** Commands that print the whole environment or a whole key store. */
export const DUMP_COMMANDS =
  /^(?:env|printenv|set|export(?: -p)?|declare -[px]+|compgen -v|history|typeset -x)$|^(?:env|printenv) -0$|^docker exec \S+ (?:\S+ )?env$|^security (?:dump-keychain|export)\b|^gpg2? .*--export-secret|^kubectl config view .*--raw|^kubectl get secrets?\b|^secret-tool (?:search|lookup)|^ssh-add -L$/
export const TOKEN_COMMANDS =
  /^gh auth token|^gh auth status .*--show-token|^glab auth|^aws configure (?:get|export-credentials)|^aws sts get-session-token|^gcloud auth (?:application-default )?print-access-token|^az account get-access-token|^security find-(?:generic|internet)-password\b|^op (?:read|item get)|^pass (?:show )?\w|^vault (?:kv get|read|print token)|^npm (?:token|config get \S*authToken)|^heroku auth:token|^doppler secrets|^bw get|^lpass show|^git credential fill|^cmdkey|^doctl auth|^fly(?:ctl)? auth token|^vercel .*token|^wrangler .*token|^huggingface-cli|^keyring get|^osascript .*hidden answer|^(?:zenity|kdialog|yad|whiptail|dialog|ssh-askpass|pinentry\S*) .*password/i
export const CLIPBOARD_COMMANDS = /^(?:pbpaste|wl-paste|xsel|xclip\b.*-o)/

/**
 * `[variable, hosts]`: the names of an environment variable, and the hosts of the service that its key
 * belongs to.
 */
const SERVICES: readonly (readonly [RegExp, RegExp])[] = [
  [/^(?:GITHUB|GH)_(?:\w{0,20}_)?(?:TOKEN|PAT)$/, /github|ghcr/],
  [/^(?:GITLAB|GL)_\w{0,20}TOKEN$|^CI_JOB_TOKEN$/, /gitlab/],
  [/^(?:NPM|NODE_AUTH)_TOKEN$/, /npm|github/],
  [/^AWS_(?:SECRET_ACCESS_KEY|SESSION_TOKEN)$/, /amazonaws|aws/],
  [/^ANTHROPIC_(?:API_KEY|AUTH_TOKEN)$/, /anthropic|claude/],
  [/^OPENAI_API_KEY$/, /openai|azure/],
  [/^(?:PYPI|TWINE)_(?:TOKEN|PASSWORD|API_TOKEN)$/, /pypi/],
  [/^SLACK_\w{0,20}TOKEN$/, /slack/],
  [/^STRIPE_\w{0,20}KEY$/, /stripe/],
  [/^(?:HF|HUGGINGFACE)_\w{0,10}TOKEN$/, /huggingface|hf\.co/],
]

/** Whether a variable holds the key of a service, and all hosts in the command belong to other services. */
export function belongsToOtherHost(variable: string, command: string): boolean {
  const service = SERVICES.find(([name]) => name.test(variable))
  if (service === undefined) return false
  const hosts = Array.from(command.matchAll(/https?:\/\/([\w.-]{1,200})/g), ([, host = '']) => host)
  return hosts.length > 0 && !hosts.some((host) => service[1].test(host))
}
