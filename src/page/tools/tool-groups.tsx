// The tools of the agent by where they come from. Admins also see the state of MCP servers. Everything that a server says is shown
// as text.

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

import { FailureNotice } from '../actions/failure-notice.tsx'
import { readToolGroups, serverState, type ToolGroup } from '../../client/tool-groups.ts'
import type { ToolRow } from '../../client/tools.ts'
import { counted } from '../../lib/counted.ts'
import { markInvisible } from '../../lib/mark-invisible.ts'
import { visibleText } from '../../lib/visible.ts'
import { describeFailure, type Trouble } from '../lib/failure.ts'
import { Badge } from '../parts/badge.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { useApp } from '../state/app.ts'
import { OPEN_TOOLS_MAX } from './limits.ts'
import { ServerFacts } from './server-facts.tsx'

export function ToolGroups() {
  const { session } = useApp()
  const groups = useSignal<readonly ToolGroup[] | null>(null)
  const trouble = useSignal<Trouble | null>(null)
  const client = session.client.value
  const load = async (): Promise<void> => {
    trouble.value = null
    // What another key may see does not stay.
    groups.value = null
    if (!client) return
    const result = await readToolGroups(client)
    if (client !== session.client.peek()) return
    if (result.ok) groups.value = result.value
    else trouble.value = describeFailure('The tools could not be read', result.error)
  }
  useEffect(() => void load(), [client])
  return (
    <section class="tools" aria-label="Tools">
      <FailureNotice trouble={trouble.value} onRetry={() => void load()} />
      {groups.value === null && !trouble.value && <Skeleton lines={8} label="Tools are loading" />}
      {groups.value?.map((group) => (
        <Group key={`${group.server?.name} ${group.title}`} group={group} />
      ))}
    </section>
  )
}

function Group({ group: { title, server, tools } }: { readonly group: ToolGroup }) {
  const state = server && serverState(server)
  return (
    <section>
      <h2>
        <bdi>{visibleText(title)}</bdi>
        {state && <Badge {...(state.kind ? { kind: state.kind } : {})}>{state.text}</Badge>}
      </h2>
      {server && <ServerFacts server={server} />}
      {tools.length > 0 && (
        <details open={tools.length <= OPEN_TOOLS_MAX}>
          <summary>{counted(tools.length, 'tool')}</summary>
          <dl>
            {tools.map((tool) => (
              <Tool key={tool.name} tool={tool} />
            ))}
          </dl>
        </details>
      )}
    </section>
  )
}

function Tool({ tool: { name, description, effect, origin, approval } }: { readonly tool: ToolRow }) {
  return (
    <div>
      <dt>
        <code title={name}>{visibleText(origin?.tool ?? name)}</code>
        {effect !== 'read' && <Badge title="It may change something outside this thread">writes</Badge>}
        {approval.ask !== 'never' && <Badge title="Calls may wait for a person's approval">may ask</Badge>}
      </dt>
      <dd dir="auto">{firstParagraph(description)}</dd>
    </div>
  )
}

function firstParagraph(text: string): string {
  return visibleText(markInvisible(text)).split(/\n\s*\n/, 1)[0] ?? ''
}
