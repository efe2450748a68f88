// Makes a text harmless for systems that act on what is written in comments: mentions notify nobody, and commands do
// nothing. Inserts invisible spaces, so that people read the same text. Pure.

/** U+200B, which is neither a letter nor a space to the systems that look for mentions and commands. */
const GAP = '\u200B'

/** An at sign, also as an HTML entity, unless it follows a letter or digit, as in an email address. */
const MENTION = /(?<![A-Za-z0-9])(?:@|&#0*64;|&#[xX]0*40;|&commat;)/g
/** Slack's `<!channel>`, `<@U1>` and `<#C1>`. */
const SLACK = /<(?=[!@#]|$)/g
/** A command at the beginning of a line, such as `/close`. */
const COMMAND = /^([^\S\r\n\u2028\u2029]*)(?=\/[A-Za-z])/gm

export function neutralized(text: string): string {
  return text
    .replace(MENTION, (sign) => sign + GAP)
    .replace(SLACK, `<${GAP}`)
    .replace(COMMAND, (spaces) => spaces + GAP)
}
