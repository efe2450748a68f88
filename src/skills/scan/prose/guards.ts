// Signs of commands and pages that weaken the protection of a machine, an agent, a repository or a person.

/** Switches off the protection of a machine. */
export const GUARDS_OFF =
  /\bsetenforce\s{1,4}0\b|SELINUX=(?:disabled|permissive)|\bufw\s{1,4}disable\b|--setglobalstate\s{1,4}off|\bnetsh\s{1,4}advfirewall\b[^\n]{0,60}\boff\b|\biptables\s{1,4}-F\b|\bspctl\s{1,4}--(?:master|global)-disable|\bcsrutil\s{1,4}disable|-DisableRealtimeMonitoring\s{1,4}\$?(?:true|1)\b|\bAdd-MpPreference\s[^\n]{0,60}-Exclusion|\bsystemctl\s{1,4}(?:stop|disable)\s{1,4}(?:--now\s)?(?:auditd|apparmor|firewalld|falcon|osqueryd|clamav)\b/i
/** Starts an agent that asks for no approval. */
export const UNATTENDED_AGENT =
  /\balias\s{1,4}[\w-]{1,30}=["'][^"'\n]{0,80}(?:--dangerously|--yolo|approval-mode[= ]|danger-full-access|--\$\w)|--sandbox[= ]danger-full-access/i
/** Removes the checks of a repository. */
export const CHECKS_OFF =
  /\bgh\s{1,4}api\s[^\n]{0,60}-X\s?DELETE\s[^\n]{0,80}\/protection\b|\bgit\s{1,4}rm\s[^\n]{0,200}(?:codeql|dependabot|gitleaks|CODEOWNERS|semgrep|trufflehog|security)\b|\bsed\s{1,4}-i[^\n]{0,200}\|\| true[^\n]{0,80}workflows/i
/** A form that sends its fields to another host, and a field for a password. */
export const ASKING_FORM = /<form\b[^>\n]{0,200}\baction=["']?https?:\/\/(?!localhost|127\.)/i
export const PASSWORD_FIELD = /<input\b[^>\n]{0,200}\btype=["']?password\b|name=["']?(?:passw|otp|cvv|seed)/i
