// Recognizes descriptions that claim more than their own task: to be used first, to apply to everything or to override
// other skills. Stating a scope ("always use it when the user asks for a PDF") is what descriptions are for.

const GAP = '[ ,:-]{1,3}'
const ADVERBS = `(?:[\\w'’-]{1,20}${GAP}){0,4}`
const USE_VERB =
  '(?:load|use|read|invoke|call|run|apply|activate|consult|trigger|select|choose|pick|open)(?:s|d|ed|ing)?'
const THIS_SKILL = '(?:this|it|me)(?: (?:one|skill))?'
const EVERY = '(?:any|every|each|all)(?: (?:single|other|user|incoming|new|of the)){0,2}'
const REQUEST_NOUN =
  '(?:task|request|message|conversation|response|reply|answer|prompt|question|session|turn|interaction|action|tool call|chat)s?'
/** Matches the end of the clause: a claim that ends here is not narrowed by what follows. */
const CLAUSE_END =
  '(?= ?(?:[.,;:!?)–—-]|$|no matter|regardless|whatever|first|without exception|including|and ignore))'
const OTHER_SKILLS =
  '(?:(?:all|any|every|each|the) ){0,2}other (?:(?:available|installed|loaded) )?(?:skills?|tools?|instructions?)'

const CLAIMS: readonly (readonly [RegExp, string])[] = [
  [
    new RegExp(
      `\\b${USE_VERB} ${THIS_SKILL} first\\b(?! (?:when|whenever|if|for|in|on)\\b)|\\b(?:must|should|always|has to|needs to)${GAP}${ADVERBS}(?:be )?${USE_VERB}${GAP}(?:${THIS_SKILL} )?(?:first|before (?:${EVERY} (?:skills?|tools?|thing)|(?:any|all|every|each) (?:skills?|tools?|others?)|anything(?: else)?|everything(?: else)?)${CLAUSE_END})|\\bbefore ${OTHER_SKILLS}\\b`,
      'i',
    ),
    'comes before all others',
  ],
  [
    new RegExp(
      `\\b${USE_VERB}${GAP}(?:${THIS_SKILL} |them ){0,1}(?:for|on|in|with|at|to (?:do|answer|handle))${GAP}(?:(?:literally|absolutely|really) )?(?:everything|anything|${EVERY} ${REQUEST_NOUN})${CLAUSE_END}|\\b(?:starting|beginning|start of|beginning of) (?:any|every|each|all)(?: new)? (?:conversation|session|chat)s?\\b|\\b(?:skills?|invocation|${USE_VERB} ${THIS_SKILL})${GAP}${ADVERBS}before ${EVERY} ${REQUEST_NOUN}${CLAUSE_END}|\\b(?:no matter|regardless of) what the (?:user|request|task|question)\\b`,
      'i',
    ),
    'is for every request',
  ],
  [
    new RegExp(
      `\\b(?:ignor|disregard|skip|overrid|supersed|replac|forget|bypass)(?:e|es|ed|ing|s|ping)?${GAP}${OTHER_SKILLS}|\\b(?:never|do not|don['’]t) (?:use|load|call|consult|follow|trust)${GAP}${OTHER_SKILLS}|\\b(?:instead of|rather than|precedence over|priority over)${GAP}${OTHER_SKILLS}`,
      'i',
    ),
    'overrides other skills',
  ],
]

/** What the description claims, with the matching text; null if it claims nothing beyond its own task. */
export function claimOf(description: string): { readonly claim: string; readonly excerpt: string } | null {
  const text = description.normalize('NFKC')
  for (const [pattern, claim] of CLAIMS) {
    const excerpt = pattern.exec(text)?.[0]
    if (excerpt !== undefined) return { claim, excerpt }
  }
  return null
}
