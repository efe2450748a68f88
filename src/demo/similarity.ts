// Matches a question to a skill by shared words, without understanding their meaning.

export interface SkillCard {
  readonly name: string
  readonly description: string
  /** The tags, separated by commas; '' if there are none. */
  readonly tags: string
  readonly location: string
}

// Words that do not describe a subject, including words that occur in nearly every skill's description.
const IGNORED_TERMS = new Set(
  `a about after all also an and any are as asks at be been but by can could do does doing for from get give has have
  hello help hey hi how i if in into is it its just let like make me more my need new no not of on or our out over
  please show skill skills so some something such tell than thank thanks that the their them then there these they
  this to up us use used user using want was we were what when where whether which who why will with would write you your`.split(
    /\s+/,
  ),
)

const SUFFIX = /(?:ations?|ings?|ers?|ors?|ed|es|is|ly|e|s)$/

/** Removes the most common endings of a word, so that `analysis`, `analyse` and `analyzing` match. */
function stem(word: string): string {
  const shortened = word.replace(SUFFIX, '')
  return (shortened.length >= 3 ? shortened : word).replace(/z/g, 's')
}

/** The stems of the words in a text, without stop words. */
export function stems(text: string): ReadonlySet<string> {
  const terms = new Set<string>()
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? [])
    if (!IGNORED_TERMS.has(word)) terms.add(stem(word))
  return terms
}

/** Score of a shared word that no other skill has. A word that other skills also have scores 1. */
const UNIQUE_WORD_SCORE = 3
/** Additional score of a word in the name, which authors choose with care. */
const NAME_WORD_SCORE = 2
/** Additional score of a word in the tags. */
const TAG_WORD_SCORE = 1
/** Minimum score of a match. A lower score may be a coincidence. */
const SCORE_MIN = 4

/** The skill with the highest score, or null if none reaches the minimum. If scores are equal, the skill listed first. */
export function bestSkill(question: string, skills: readonly SkillCard[]): SkillCard | null {
  const lowerQuestion = question.toLowerCase()
  const namedSkill = skills.find(
    (skill) => skill.name.length > 3 && lowerQuestion.includes(skill.name.toLowerCase()),
  )
  if (namedSkill !== undefined) return namedSkill
  const questionTerms = [...stems(question)]
  const cards = skills.map((skill) => ({
    skill,
    name: stems(skill.name),
    tags: stems(skill.tags),
    terms: stems(`${skill.name} ${skill.tags} ${skill.description}`),
  }))
  let best: SkillCard | null = null
  let bestScore = SCORE_MIN - 1
  for (const { skill, name, tags, terms } of cards) {
    let score = 0
    for (const word of questionTerms) {
      if (!terms.has(word)) continue
      const isUnique = cards.every((card) => card.skill === skill || !card.terms.has(word))
      score += isUnique ? UNIQUE_WORD_SCORE : 1
      score += (name.has(word) ? NAME_WORD_SCORE : 0) + (tags.has(word) ? TAG_WORD_SCORE : 0)
    }
    if (score <= bestScore) continue
    best = skill
    bestScore = score
  }
  return best
}
