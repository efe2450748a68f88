// Finds and deletes what has a name and an ID on the server: hooks and schedules.

import { explainFailure } from '../lib/server.ts'
import { harmlessLine } from '../lib/terminal.ts'
import { allPages, askToGoOn, type ToolPorts } from '../tools/ports.ts'

interface Named {
  readonly id: string
  readonly name: string
}

type Kind = 'hook' | 'schedule'

/** All hooks or schedules; null if a request failed, which is then reported. */
export async function allOf<T extends Named>(kind: Kind, ports: ToolPorts): Promise<readonly T[] | null> {
  return allPages<T>(ports, `/admin/${kind}s`)
}

/** The one with this name or ID; null, with a message, if there is none or several have the name. */
export async function findNamed<T extends Named>(
  kind: Kind,
  name: string,
  ports: ToolPorts,
): Promise<T | null> {
  const all = await allOf<T>(kind, ports)
  if (all === null) return null
  const found = all.filter((one) => one.id === name || one.name === name)
  const [only] = found
  if (only !== undefined && found.length === 1) return only
  const shown = harmlessLine(name)
  ports.complain(
    only === undefined
      ? `There is no ${kind} ${shown}. Run npm run ${kind}s -- list for their names.`
      : `${found.length} ${kind}s have the name ${shown}. Use the ID: ${found.map(({ id }) => harmlessLine(id)).join(', ')}.`,
  )
  return null
}

/** Deletes it after a yes. `consequence` says what becomes of what belongs to it. Returns the exit status. */
export async function removeNamed(
  kind: Kind,
  { id, name }: Named,
  consequence: string,
  flags: { readonly yes: boolean; readonly json: boolean },
  ports: ToolPorts,
): Promise<number> {
  const shown = harmlessLine(name)
  if (!flags.yes) {
    const stopped = await askToGoOn(
      ports,
      `delete ${shown}`,
      `Delete ${shown} from ${ports.url}? ${consequence}`,
    )
    if (stopped !== null) return stopped
  }
  // An empty response has no body, so only the status says whether it was deleted.
  const deleted = await ports.client.json('DELETE', `/admin/${kind}s/${id}`)
  if (!deleted.ok) {
    ports.complain(explainFailure(deleted.error, ports.url))
    return 1
  }
  if (!flags.json) ports.say(`${shown} was deleted.`)
  return 0
}
