// `skills:add --to`: publishes the skills instead of writing them. scripts/publish does the publishing.

import { gatherMemory } from '../publish/gather.ts'
import type { PublishPorts } from '../publish/ports.ts'
import { publishSkills, type PublishOptions } from '../publish/publish.ts'
import type { SourceSkill } from './item.ts'
import { printSummary } from './report.ts'

/** Publishes the skills and returns the exit status, as in skills:publish. */
export async function publishItems(
  items: readonly SourceSkill[],
  options: PublishOptions,
  ports: PublishPorts,
): Promise<0 | 1 | 2> {
  const { skills, errors } = gatherMemory(
    items.map(({ files, folder, entry }) => ({
      files,
      folder,
      location: entry.path === '' ? entry.source : `${entry.source}/${entry.path}`,
    })),
  )
  for (const item of items) printSummary(item, 'found', options.notes, ports.say)
  if (errors.length > 0) {
    ports.complain(['Nothing was published:', ...errors].join('\n'))
    return 1
  }
  return (await publishSkills(skills, options, ports)).status
}
