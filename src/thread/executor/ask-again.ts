// Asks the model to go on, by a message of Satchel's own that readers do not see.

import type { NextAction } from '../../agent/loop.ts'
import { noticeContent } from '../../agent/notices.ts'
import { finish, type EndingThread } from './finish.ts'
import { mayCallAgain } from './plan-call.ts'
import type { Run } from '../rows/run.ts'

type AskAgain = Extract<NextAction, { readonly do: 'ask_again' }>

/** If the budget does not cover another call, the run ends with what it has said. */
export function askAgain(thread: EndingThread, run: Run, { why, otherwise }: AskAgain): void {
  if (!mayCallAgain(thread, run)) {
    finish(thread, run.id, otherwise.status, otherwise.stop, otherwise.detail)
    return
  }
  thread.atomically(() => {
    const { transcript, runs, ports } = thread
    runs.countNotice(run.id, why)
    transcript.append({
      id: ports.newId('msg'),
      runId: run.id,
      role: 'user',
      content: noticeContent(why),
      kind: why === 'cut' ? 'cut_notice' : 'notice',
      at: ports.now(),
    })
  })
}
