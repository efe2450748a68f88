// What the words around a thing make of it: text that warns of something asks nobody to do it.

const WARNS =
  /\b(?:never|avoid|refuse|reject|forbid|prevent|block|deny|(?:do|does|must|should|can|may) ?n[o']t|cannot|without)\b[^\n]{0,60}\b(?:run|runs|running|pipe|pipes|piping|execut\w{0,4}|paste|use|using|trust|follow\w{0,3}|access\w{0,3}|read\w{0,3}|touch\w{0,3}|obey\w{0,3}|override|ignore|expose|leak|print|commit|write|send|include|contain|curl|wget|reveal)\b|\b(?:malicious|malware|attack\w{0,4}|adversar\w{1,5}|exploit\w{0,5}|payloads?|injections?|inject\w{0,3}|jailbreak\w{0,3}|red flags?|suspicious|dangerous|unsafe|insecure|vulnerab\w{1,8}|anti-?patterns?|detect\w{0,5}|scan\w{0,5} for|indicators?|untrusted|sanitiz\w{1,4}|block(?:ed|s|list)?|forbidden|prohibited|threats?|audit\w{0,4}|attempts?|phishing|bad|wrong|treat\w{0,3} (?:\w{1,20} ){0,4}as (?:data|untrusted))\b|❌|✗|🚫|⛔/iu

/** True for words that guard against what stands among them. */
export function isGuarding(words: string): boolean {
  return WARNS.test(words)
}
