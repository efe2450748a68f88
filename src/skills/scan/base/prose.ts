// Interprets the text around a match: a warning about an attack is not an instruction to carry it out.

const WARNING_TERMS =
  /\b(?:never|avoid|refuse|reject|forbid|prevent|block|deny|(?:do|does|must|should|can|may) ?n[o']t|cannot|without)\b(?:[^\n.?!]|[.?!](?!\s)){0,60}\b(?:run|runs|running|pipe|pipes|piping|execut\w{0,4}|paste|use|using|trust|follow\w{0,3}|access\w{0,3}|read\w{0,3}|touch\w{0,3}|obey\w{0,3}|override|ignore|expose|leak|print|commit|write|send|include|contain|curl|wget|reveal)\b|\b(?:malicious|malware|attack\w{0,4}|adversar\w{1,5}|exploit\w{0,5}|payloads?|injections?|inject\w{0,3}|jailbreak\w{0,3}|red flags?|suspicious|dangerous|unsafe|insecure|vulnerab\w{1,8}|anti-?patterns?|detect\w{0,5}|scan\w{0,5} for|indicators?|untrusted|sanitiz\w{1,4}|block(?:ed|s|list)?|forbidden|prohibited|threats?|audit\w{0,4}|attempts?|phishing|bad|wrong|treat\w{0,3} (?:\w{1,20} ){0,4}as (?:data|untrusted))\b|❌|✗|🚫|⛔/iu

/** The name of a variable is not a warning. */
const VARIABLE_NAMES = /\$\{?\w{1,40}|\b\w{1,40}=/g

/** True for text that warns against what it mentions. */
export function warnsAgainst(excerpt: string): boolean {
  return WARNING_TERMS.test(excerpt.replace(VARIABLE_NAMES, ''))
}

// Terms that openly call something an attack, which an attacker would not write.
const ATTACK_TERMS =
  /\b(?:malicious|malware|attack(?:er|s)?\b|adversar\w{1,5}|exploit\w{0,5}|payloads?|red flags?|warning signs?|signs? of|suspicious|indicators?|hostile|dropper|miners?|reverse shell|compromised|phishing|anti-?patterns?|threats?|injection|what it finds|example of an? (?:bad|malicious|unsafe)|capture-the-flag|bösartig|schadsoftware|angreifer|malicios\w|maliciel|malveillant|ataque|atacante|attaquant)|恶意|攻击|悪意|攻撃|вредонос|злоумыш/iu
const PROHIBITIONS =
  /\b(?:never|do not|don['’]t|avoid|refuse to|reject|must not|should not)\s(?:\w{1,12}\s){0,2}(?:run|pipe|execute|paste|copy|download|install|disable|turn|switch|send|upload|share|ask|request|collect|store|commit|add|read|trust|follow|obey|open|fetch|write)\b|❌|✗|🚫|⛔|\b(?:niemals|nunca|jamais)\b|(?:切勿|不要|请勿)(?!告)|絶対に|никогда/iu

/** True for a line that forbids or openly names what it contains. */
export function isWarningLine(line: string): boolean {
  return ATTACK_TERMS.test(line.replace(VARIABLE_NAMES, '')) || PROHIBITIONS.test(line)
}

const SECTION_MAX_CHARS = 4_096
const BEFORE_CHARS = 400

/** True if a heading, or the text shortly before, presents the text at `offset` as an example of an attack. */
export function isExampleAt(text: string, offset: number): boolean {
  const before = text.slice(Math.max(0, offset - SECTION_MAX_CHARS), offset)
  const heading = before.lastIndexOf('\n#')
  const section = heading < 0 ? before : before.slice(heading + 1)
  const [title = ''] = heading < 0 ? [''] : section.split('\n', 1)
  return (
    ATTACK_TERMS.test(title) || ATTACK_TERMS.test(section.slice(-BEFORE_CHARS).replace(VARIABLE_NAMES, ''))
  )
}
