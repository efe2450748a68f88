// The context from which tools are created. A test gives the parts that it needs; all others are empty or fail.

import type { SkillAccess } from '../../src/skills/view/access.ts'
import type { ToolContext } from '../../src/tools/record/builtin.ts'
import type { RunTools } from '../../src/tools/record/source.ts'
import { BUILTINS } from '../../src/tools/builtins.ts'
import { err, fail, ok } from '../../src/lib/result.ts'
import type { SecretsPort } from '../../src/secrets/port.ts'
import { FakeFiles } from './files.ts'
import { NO_NET } from './net.ts'
import { NO_SANDBOX } from './sandbox.ts'

export function toolContext(own: Partial<ToolContext> = {}): ToolContext {
  return {
    skills: NO_SKILLS,
    files: new FakeFiles(),
    documents: null,
    sandbox: NO_SANDBOX,
    net: NO_NET,
    search: null,
    searchThread: () => ({ content: '', isError: false, untrusted: [] }),
    deferred: async () => ok({ tools: [], permits: () => true, define: async () => ok([]) }),
    canAskPerson: true,
    now: () => 0,
    ...own,
  }
}

/** What a run's calls need: the tools of the build, an empty catalog, and no secrets. */
export function runTools(own: Partial<RunTools> = {}): RunTools {
  return {
    builtins: BUILTINS,
    context: toolContext(),
    live: async () => ok([]),
    whole: async () => ok([]),
    fetch: NO_NET,
    stream: async () => err({ code: 'unreachable', detail: 'There is no network here.', sent: false }),
    onEnd: () => undefined,
    reportMcpServer: () => undefined,
    secrets: NO_SECRETS,
    secretsInUrl: false,
    ...own,
  }
}

const NONE = fail('not_found', 'There are no secrets here.')
const NO_SECRETS: SecretsPort = {
  brought: async () => NONE,
  use: async () => NONE,
  tokens: { take: async () => NONE, put: async () => undefined },
}

// The cast is safe: a test whose tool reads skills provides them.
const NO_SKILLS = {} as SkillAccess
