// What admins see of an MCP server: its address, when it was last reached, its last error, and its blocked tools with
// what changed.

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

import { mcpServerPath, type McpServerDetail, type McpServerRow } from '../../client/mcp.ts'
import { counted } from '../../lib/counted.ts'
import { markInvisible } from '../../lib/mark-invisible.ts'
import { visibleText } from '../../lib/visible.ts'
import { FailureNotice } from '../actions/failure-notice.tsx'
import { describeFailure, type Trouble } from '../lib/failure.ts'
import { formatSince, formatTime } from '../lib/format.ts'
import { CodeBlock } from '../markdown/code.tsx'
import { useApp } from '../state/app.ts'

const CHANGES = { changed: 'The server changed it.', removed: 'The server no longer offers it.' } as const

export function ServerFacts({ server }: { readonly server: McpServerRow }) {
  const { ports, session } = useApp()
  const { name, url, last_seen_at: seenAt, last_error: error, problem } = server
  const detail = useSignal<McpServerDetail | null>(null)
  const trouble = useSignal<Trouble | null>(null)
  const load = async (): Promise<void> => {
    trouble.value = null
    const client = session.client.peek()
    if (!client || server.blocked + server.unapproved === 0) return
    const path = mcpServerPath(name)
    const answer = await client.json<McpServerDetail>('GET', path)
    if (client !== session.client.peek()) return
    if (answer.ok) detail.value = answer.value.body
    else trouble.value = describeFailure('What changed could not be read', answer.error)
  }
  useEffect(() => void load(), [name])
  const blocked = detail.value?.blocked_tools ?? []
  const unapproved = detail.value?.unapproved_tools ?? []
  return (
    <div class="server-facts">
      <p class="quiet">
        <code dir="ltr">{visibleText(url)}</code>
        {' · '}
        {seenAt === null ? (
          'never seen'
        ) : (
          <>
            last seen{' '}
            <time dateTime={seenAt} title={formatTime(seenAt)}>
              {formatSince(seenAt, ports.now())}
            </time>
          </>
        )}
      </p>
      {problem !== null && <p class="quiet">{problem}</p>}
      {error && (
        <p class="quiet">
          <span class="wrong">Last error</span>, {formatSince(error.at, ports.now())}:{' '}
          <span dir="auto">{visibleText(error.detail)}</span>
        </p>
      )}
      <FailureNotice trouble={trouble.value} onRetry={() => void load()} />
      {blocked.map(({ name: tool, change, diff }) => (
        <details key={tool}>
          <summary>
            <code>{visibleText(tool)}</code> is blocked
          </summary>
          <p class="quiet">{CHANGES[change]} It is not called until an admin approves it again.</p>
          {diff !== null && <CodeBlock text={markInvisible(diff)} language="diff" isNeverFolded />}
        </details>
      ))}
      {unapproved.length > 0 && (
        <p class="quiet">
          {counted(unapproved.length, 'new tool is', 'new tools are')} not approved:{' '}
          <bdi>{visibleText(unapproved.join(', '))}</bdi>
        </p>
      )}
      {(blocked.length > 0 || unapproved.length > 0 || server.approved === null) && (
        <p class="quiet">
          To compare and approve what it offers now, run <code>npm run tools -- mcp refresh {name}</code>.
        </p>
      )}
    </div>
  )
}
