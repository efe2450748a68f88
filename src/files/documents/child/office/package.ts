// Provides the parts of a DOCX or XLSX to the readers: XML by path, and the relations between parts.

import { readXml, type XmlBudget, type XmlEvents } from './xml.ts'
import type { Zip } from './zip.ts'

/** The interface of a package for its reader. */
export interface Package {
  readonly main: string
  /** The relations of a part, by id. */
  relations(part: string): Promise<ReadonlyMap<string, Relation>>
  /** Reads the XML of a part. Returns false if the part is missing or truncated. */
  xml(part: string, events: XmlEvents): Promise<boolean>
  has(part: string): boolean
}

export interface Relation {
  /** The last segment of the relation's type, such as `hyperlink` or `worksheet`. */
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

/** The relations of a part, by id. The empty string stands for the package itself. */
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

/** Resolves a target relative to the folder of its part: `../media/x` in `xl/` becomes `media/x`. */
function within(folder: string, target: string): string {
  const path: string[] = []
  const full = target.replaceAll('\\', '/')
  for (const step of (full.startsWith('/') ? full : `${folder}${full}`).split('/')) {
    if (step === '..') path.pop()
    else if (step !== '' && step !== '.') path.push(step)
  }
  return path.join('/')
}
