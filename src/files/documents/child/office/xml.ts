// Reads the XML of Office files from a stream as events. Expands only the five predefined entities, loads no external resources, and
// limits the number and depth of elements.

import { Parser } from 'htmlparser2'
import { DOCUMENT_XML_DEPTH_MAX, DOCUMENT_XML_ELEMENTS_MAX } from '../common/limits.ts'
import { DocumentRefused } from '../common/pace.ts'

/** The namespaces and the prefixes that nearly all programs use for them. Other prefixes are mapped to these. */
const PREFIXES: readonly (readonly [uri: RegExp, prefix: string])[] = [
  [/\/wordprocessingml\/(2006\/)?main$/, 'w'],
  [/\/spreadsheetml\/(2006\/)?main$/, 'x'],
  [/\/officeDocument\/(2006\/)?relationships$/, 'r'],
  [/\/officeDocument\/(2006\/)?math$/, 'm'],
  [/\/markup-compatibility\/2006$/, 'mc'],
  [/\/package\/2006\/relationships$/, 'rel'],
  [/\/package\/2006\/content-types$/, 'ct'],
]

const EVENTLESS_MAX_BYTES = 16_777_216

export interface XmlAttributes {
  /** The value of an attribute, by a name with the usual prefix, such as `w:val`, or without a prefix. */
  get(name: string): string | undefined
}

export interface XmlEvents {
  open?(name: string, attributes: XmlAttributes): void
  text?(text: string): void
  close?(name: string): void
  /** Called after each piece. Reading ends if it returns true. */
  isDone?(): boolean
}

/** The number of elements that one document may still have, shared by all of its parts. */
export interface XmlBudget {
  elements: number
}

export function xmlBudget(): XmlBudget {
  return { elements: DOCUMENT_XML_ELEMENTS_MAX }
}

/** Reads one part. Returns false if it is truncated. Rejects with DocumentRefused if it exceeds a limit or is invalid. */
export async function readXml(
  pieces: AsyncIterable<Uint8Array>,
  budget: XmlBudget,
  events: XmlEvents,
): Promise<boolean> {
  const names = new Names()
  let [depth, hasElements, bytesSinceEvent] = [0, false, 0]
  const parser = new Parser(
    {
      onopentag(raw, attributes) {
        hasElements = true
        bytesSinceEvent = 0
        if (--budget.elements < 0)
          throw new DocumentRefused(
            `The file has more than ${DOCUMENT_XML_ELEMENTS_MAX} elements, which is the limit. Ask the user for a part of it, or for its text.`,
          )
        if (++depth > DOCUMENT_XML_DEPTH_MAX)
          throw new DocumentRefused(
            `The file nests elements more than ${DOCUMENT_XML_DEPTH_MAX} levels deep, which no real document does.`,
          )
        names.declare(attributes)
        events.open?.(names.standardName(raw), { get: (name) => attributes[names.attribute(name)] })
      },
      ontext(text) {
        bytesSinceEvent = 0
        events.text?.(text)
      },
      oncomment: () => (bytesSinceEvent = 0),
      onclosetag(raw) {
        depth -= 1
        events.close?.(names.standardName(raw))
      },
      onprocessinginstruction(name) {
        if (/^!doctype/i.test(name))
          throw new DocumentRefused(
            'The file declares a document type, which Office files never do, so it is not read.',
          )
      },
    },
    { xmlMode: true },
  )
  let decoder: TextDecoder | null = null
  for await (const piece of pieces) {
    decoder ??= new TextDecoder(encodingOf(piece))
    // The parser keeps a name or a comment in memory until it is complete.
    if ((bytesSinceEvent += piece.length) > EVENTLESS_MAX_BYTES)
      throw new DocumentRefused('The file is damaged: a tag has no end. Ask the user to send it again.')
    parser.write(decoder.decode(piece, { stream: true }))
    if (events.isDone?.()) return true
  }
  const isComplete = hasElements && depth === 0
  parser.end() // closes open elements
  return isComplete
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}

class Names {
  readonly #standardPrefix = new Map<string, string>()
  readonly #raw = new Map<string, string>()
  #cache = new Map<string, string>()

  declare(attributes: Readonly<Record<string, string>>): void {
    for (const key in attributes) {
      if (key !== 'xmlns' && !key.startsWith('xmlns:')) continue
      const standardPrefix = PREFIXES.find(([uri]) => uri.test(attributes[key]?.slice(0, 200) ?? ''))?.[1]
      const prefix = key.slice(6)
      // If a usual prefix stands for an unknown namespace here, its names must not match.
      if (standardPrefix === undefined && !this.#standardPrefix.has(prefix)) continue
      this.#standardPrefix.set(prefix, standardPrefix ?? `other-${prefix}`)
      if (standardPrefix !== undefined && prefix !== '') this.#raw.set(standardPrefix, prefix)
      this.#cache = new Map()
    }
  }

  standardName(raw: string): string {
    const cachedName = this.#cache.get(raw)
    if (cachedName !== undefined) return cachedName
    const colon = raw.indexOf(':')
    const prefix = colon < 0 ? '' : raw.slice(0, colon)
    const standardPrefix = this.#standardPrefix.get(prefix) ?? prefix
    const name = standardPrefix === '' ? raw : `${standardPrefix}:${raw.slice(colon + 1)}`
    if (this.#cache.size < 1_000) this.#cache.set(raw, name)
    return name
  }

  attribute(name: string): string {
    const colon = name.indexOf(':')
    if (colon < 0) return name
    const raw = this.#raw.get(name.slice(0, colon))
    return raw === undefined ? name : `${raw}${name.slice(colon)}`
  }
}
