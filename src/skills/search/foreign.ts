// Words of other languages made English by the glossary: whole words, inflected ones, compounds, text without blanks.

import { SEARCH_COMPOUND_MAX_CHARS } from '../../limits.ts'
import type { Glossary, Phrase } from './lexicon.ts'

/** Function words that English has not: they tell the language, and nothing else. Folded. */
export const FOREIGN_STOP: ReadonlySet<string> = new Set(
  `ab aber alle als am ans auch auf aus bei beim bin bitte bist da das dass dein deine dem den der des dich die dir diese diesem
  diesen dieser dieses doch du durch ein eine einem einen einer eines er es euch fur gib hat habe haben hilf ich ihr im in ist
  jede jeden kann kannst konnte mach mache machen mal man mehr mein meine meinem meinen meiner mich mir mit mochte muss nach
  nicht noch nur ob oder ohne sehr sein seine sich sie sind so soll sollen uber um und uns unser unsere unseren unserer unter
  viel viele vom von vor war warum was wenn wer werden wie will wir wird wo zeig zeige zu zum zur
  ai au aux avec ce ces cet cette comment dans de des dois donne du elle en est et etre faire fais faut il ils j je l la le
  les leur lui ma mais me mes moi mon ne nos notre nous on ou par pas peux plus pour pourquoi qu quand que quel quelle quels
  qui s sa sans se ses si son sont sur ta te tes toi ton tous tout toute tu un une veux voici vos votre vous y d c n m t
  a al algo como con cual cuales cuando de del donde dos el ella ellos en entre era es esa ese eso esta estas este esto estos
  fue ha hacer hay haz la las le les lo los mas me mi mis muy necesito no nos nuestra nuestro o otra otro para pero por porque
  puede puedo que quiero se ser si sin sobre son su sus tambien te tengo tiene todo todos tu un una uno unos y ya yo
  ao aos as com como da das de dele do dos e ela ele em entre essa esse esta este eu fazer foi isso isto ja mais mas meu
  minha muito na nas nao nem no nos nossa nosso num numa o os ou para pela pelo pode por posso preciso quais qual quando que
  quero se sem seu sua tem tenho todos tudo um uma umas uns voce
  agli alla alle anche che chi ci come con cosa cui da dai dal dalla degli dei del della delle dello di dove e ed fa fai fare
  gli ha ho i il in io la le lo loro ma mi mia mie miei mio ne nei nel nella noi non nostra nostro o per perche piu puo quali
  qualcuno quando quello questa queste questi questo se sono su sua sul sulla suo tra tu tutti tutto un una uno vorrei
  aan als bij dat de deze die dit door een en er geen graag had heb heeft het hij hoe ik in is je jij kan kun maak me met mij
  mijn moet na naar niet nog of om onze ons ook op over te tot uit van veel voor waar wat we welke wij wil wordt ze zijn zo
  bir bu ben bana benim da daha de diye en gibi icin ile ise ki kadar mi mu nasil ne o olan olarak sen su tum var ve ya yap
  a aby ale byc bym chce co czy dla do go i ich ich jak jest kiedy ktora ktore ktory ma mam mi moj moja moje moje mnie na nam
  nasz nasze nie niech o od oraz po pod prosze przez przy sie ta tak te tego tej ten to tym w we z za ze zrob
  а без бы в вас ваш во вот все вы где да для до его ее если есть еще же за и из или им их к как какие какой когда ко кто
  ли меня мне мой моя мое мои мою мы на над нам нас наш наша нашу не нет но ну о об он она они от по под при про с сам
  свой свою сделай со так там то тоже только у уже хочу чем что чтобы эта эти это этот я
  من في على إلى الى عن مع هذا هذه أن ان لا ما هل كيف لي لنا و أو او كل التي الذي
  का के की को में से पर और है हैं एक यह वह मेरे मेरी मेरा लिए करें करो कर हमारे हमारी हमारा क्या कैसे`.split(/\s+/),
)

// English words that the list above has too: they say nothing about the language.
const SHARED: ReadonlySet<string> = new Set(
  `a ai am as at da do die door dos er had has he hat i ich in is it la man me mi mine no of on on or over so son such
  t s d m l c n to was we war who will y open her under top all den we he o u e se on an by`.split(/\s+/),
)

/** Not plain English: a letter outside ASCII, or function words of another language. */
export function isForeign(words: readonly string[]): boolean {
  return (
    words.some((word) => !/^[a-z0-9]+$/.test(word)) ||
    words.some((word) => FOREIGN_STOP.has(word) && !SHARED.has(word))
  )
}

const SHORT = 4
// An ending that is shorter than what it stands behind leaves the same word: Rechnung-en, оптимизир-овать.
const SHORT_ENDING = 2
const ARABIC_ARTICLE = /^(?:وال|بال|كال|فال|لل|ال|و|ب|ل)(?=.{3})/

function begins(word: string, beginning: string): boolean {
  if (!word.startsWith(beginning)) return false
  const ending = word.length - beginning.length
  return ending < beginning.length && (beginning.length >= SHORT || ending <= SHORT_ENDING)
}

function entry(glossary: Glossary, words: readonly string[], at: number): Phrase | null {
  const first = words[at] ?? ''
  const exact = (glossary.foreign.get(first.slice(0, 2)) ?? []).filter((phrase) =>
    phrase.parts.every((part, i) => begins(words[at + i] ?? '', part)),
  )
  return exact[0] ?? null
}

/** A compound of which both halves, or a long first or last half, are known: Steuer-unterlagen, Outlook-Kalender-termin. */
function compound(glossary: Glossary, word: string): readonly string[] {
  if (word.length < 9 || word.length > SEARCH_COMPOUND_MAX_CHARS) return []
  for (let cut = word.length - 4; cut >= 4; cut--) {
    const tail = entry(glossary, [word.slice(cut)], 0)
    if (!tail || tail.parts.length > 1 || (tail.parts[0] ?? '').length < 4) continue
    const head = entry(glossary, [word.slice(0, cut)], 0)
    return [...(head?.parts.length === 1 ? head.means : []), ...tail.means]
  }
  const start = (glossary.foreign.get(word.slice(0, 2)) ?? []).find(
    ({ parts }) => parts.length === 1 && (parts[0] ?? '').length >= 5 && word.startsWith(parts[0] ?? ''),
  )
  return start?.means ?? []
}

export interface Meant {
  /** Words of the query that this stands for. */
  readonly words: number
  /** English stems. */
  readonly means: readonly string[]
}

/** What the word at this place, alone or with those behind it, is in English; null for unknown. */
export function translated(glossary: Glossary, words: readonly string[], at: number): Meant | null {
  const word = words[at] ?? ''
  const found = entry(glossary, words, at) ?? entry(glossary, [word.replace(ARABIC_ARTICLE, '')], 0)
  if (found) return { words: found.parts.length, means: found.means }
  const parts = compound(glossary, word)
  return parts.length > 0 ? { words: 1, means: parts } : null
}

/** The known words inside a run without blanks, longest first, each once. */
export function segments(glossary: Glossary, run: string): readonly (readonly string[])[] {
  const found: (readonly string[])[] = []
  for (let at = 0; at < run.length;) {
    let size = Math.min(glossary.unspacedMax, run.length - at)
    while (size > 0 && !glossary.unspaced.has(run.slice(at, at + size))) size--
    const means = glossary.unspaced.get(run.slice(at, at + size))
    if (means) found.push(means)
    at += Math.max(1, size)
  }
  return found
}
