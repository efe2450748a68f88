// What tools are made from, where a test says only the parts that it is about: all else is empty or leads nowhere.

import type { SkillAccess } from '../../src/skills/view/access.ts'
import type { ToolContext } from '../../src/tools/builtin.ts'
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
    attended: true,
    now: () => 0,
    ...own,
  }
}

// The cast: a test that lets a tool look at skills brings them.
const NO_SKILLS = {} as SkillAccess
