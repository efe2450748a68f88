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
    // Another key may have different permissions, so discard the old list.
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
      {groups.value?.length === 0 && <p class="quiet">With this key, the agent has no tools.</p>}
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

function Tool({ tool: { name, description, source, effect, origin, approval } }: { readonly tool: ToolRow }) {
  // The built-in tools change only files of the thread, and their descriptions tell the model what to do.
  const isBuiltin = source === 'builtin' || source === 'server'
  return (
    <div>
      <dt>
        <code title={name}>{visibleText(origin?.tool ?? name)}</code>
        {effect !== 'read' && !isBuiltin && (
          <Badge title="It may change something outside this thread">writes</Badge>
        )}
        {approval.ask !== 'never' && (
          <Badge title="A person must approve the call before it is sent">
            {approval.ask === 'always' ? 'needs approval' : 'may need approval'}
          </Badge>
        )}
      </dt>
      <dd dir="auto">{isBuiltin ? firstSentence(description) : firstParagraph(description)}</dd>
    </div>
  )
}

function firstSentence(text: string): string {
  return firstParagraph(text).split(/(?<=[.!?])\s/, 1)[0] ?? ''
}

function firstParagraph(text: string): string {
  return visibleText(markInvisible(text)).split(/\n\s*\n/, 1)[0] ?? ''
}
