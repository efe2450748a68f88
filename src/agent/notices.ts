// The messages with which Satchel asks the model to go on. The model gets them as user messages; readers never see them.

import type { Block } from './message.ts'

/**
 * Why Satchel asks: the output limit cut the message off, the answer after tool calls was empty, or items of the plan are not
 * completed.
 */
export type NoticeKind = 'cut' | 'empty' | 'plan'

const TEXTS: Readonly<Record<NoticeKind, string>> = {
  cut: 'Your last message was cut off by the output limit. Continue exactly where it stopped: repeat nothing and do not mention the interruption. A tool call in it was not made: make it again, with a shorter input if the input was too long.',
  empty: 'Your last message was empty. Answer the user now, or continue with the work.',
  plan: 'Your plan has items that are not completed. Continue with them. If they are done or no longer needed, correct the plan with write_todos; if they wait for the user, leave them. Then end with your complete answer, because your last message is what the user reads.',
}

export function noticeContent(kind: NoticeKind): readonly Block[] {
  return [{ type: 'text', text: `<run_notice>\n${TEXTS[kind]}\n</run_notice>` }]
}
