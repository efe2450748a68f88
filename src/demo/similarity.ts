// Matches a question to a skill by shared terms. Understands no meaning.

export interface SkillCard {
  readonly name: string
  readonly description: string
  /** As listed, apart from each other by commas; empty for none. */
  readonly tags: string
  readonly location: string
}

// Words that say nothing about the subject, among them those of nearly every skill's description.
const STOP = new Set(
  `a about after all also an and any are as asks at be been but by can could do does doing for from get give has have
  hello help hey hi how i if in into is it its just let like make me more my need new no not of on or our out over
  please show skill skills so some something such tell than thank thanks that the their them then there these they
  this to up us use used user using want was we were what when where whether which who why will with would write you your`.split(
    /\s+/,
  ),
)

const SUFFIX = /(?:ations?|ings?|ers?|ors?|ed|es|is|ly|e|s)$/

/** A word without its commonest endings: `analysis`, `analyse` and `analyzing` meet. */
function stem(word: string): string {
  const cut = word.replace(SUFFIX, '')
  return (cut.length >= 3 ? cut : word).replace(/z/g, 's')
}

/** The words that say something of the subject. */
export function stems(text: string): ReadonlySet<string> {
  const found = new Set<string>()
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? [])
    if (!STOP.has(word)) found.add(stem(word))
  return found
}

// A shared word counts by how well it tells this skill from the others: once, or as RARE when no other skill has it;
// and more when it is a tag or a part of the name, which authors choose with care.
const RARE = 3
const IN_NAME = 2
const IN_TAGS = 1
/** Less is chance: a word of a description, or what several skills share. */
const ENOUGH = 4

/** The skill whose words the question shares most, or null when none shares enough. Ties: the first one listed. */
export function bestSkill(question: string, skills: readonly SkillCard[]): SkillCard | null {
  const lower = question.toLowerCase()
  const named = skills.find((skill) => skill.name.length > 3 && lower.includes(skill.name.toLowerCase()))
  if (named !== undefined) return named
  const questionTerms = [...stems(question)]
  const cards = skills.map((skill) => ({
    skill,
    name: stems(skill.name),
    tags: stems(skill.tags),
    terms: stems(`${skill.name} ${skill.tags} ${skill.description}`),
  }))
  let best: SkillCard | null = null
  let most = ENOUGH - 1
  for (const { skill, name, tags, terms } of cards) {
    let score = 0
    for (const word of questionTerms) {
      if (!terms.has(word)) continue
      const rare = cards.every((other) => other.skill === skill || !other.terms.has(word))
      score += (rare ? RARE : 1) + (name.has(word) ? IN_NAME : 0) + (tags.has(word) ? IN_TAGS : 0)
    }
    if (score <= most) continue
    best = skill
    most = score
  }
  return best
}
