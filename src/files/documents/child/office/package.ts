// The parts of a DOCX or XLSX as their readers ask for them: XML by path, and what refers to what.

import { readXml, type XmlBudget, type XmlEvents } from './xml.ts'
import type { Zip } from './zip.ts'

/** One package, with what its reader needs of it. */
export interface Package {
  readonly main: string
  /** Of a part: id → where it points. */
  relations(part: string): Promise<ReadonlyMap<string, Relation>>
  /** False: there is no such part, or it breaks off. */
  xml(part: string, events: XmlEvents): Promise<boolean>
  has(part: string): boolean
}

export interface Relation {
  /** The last word of its type: `hyperlink`, `worksheet`. */
  readonly type: string
  readonly target: string
  readonly external: boolean
}

export function packageOf(zip: Zip, budget: XmlBudget, main: string): Package {
  return {
    main,
    relations: async (part) => relationsOf(zip, budget, part),
    xml: async (part, events) => zip.has(part) && (await readXml(zip.read(part), budget, events)),
    has: (part) => zip.has(part),
  }
}

/** What a part (`""`: the package itself) refers to, by id. */
export async function relationsOf(
  zip: Zip,
  budget: XmlBudget,
  part: string,
): Promise<ReadonlyMap<string, Relation>> {
  const slash = part.lastIndexOf('/') + 1
  const folder = part.slice(0, slash)
  const relations = new Map<string, Relation>()
  await readXml(zip.read(`${folder}_rels/${part.slice(slash)}.rels`), budget, {
    open(name, attributes) {
      const id = attributes.get('Id')
      const target = attributes.get('Target')
      if (name !== 'rel:Relationship' || id === undefined || target === undefined) return
      const external = attributes.get('TargetMode') === 'External'
      const type = (attributes.get('Type') ?? '').split('/').at(-1) ?? ''
      relations.set(id, { type, target: external ? target : within(folder, target), external })
    },
  })
  return relations
}

/** A target from where it is named: `../media/x` in `xl/` is `media/x`. */
function within(folder: string, target: string): string {
  const path: string[] = []
  const full = target.replaceAll('\\', '/')
  for (const step of (full.startsWith('/') ? full : `${folder}${full}`).split('/')) {
    if (step === '..') path.pop()
    else if (step !== '' && step !== '.') path.push(step)
  }
  return path.join('/')
}
