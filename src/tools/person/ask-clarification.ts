// ask_clarification: asks the user a question. The call returns immediately and the run ends; the answer is the user's
// next message.

import * as z from 'zod'
import { QUESTION_KINDS, type Question } from '../../agent/question.ts'
import type { ToolResult } from '../../agent/tool.ts'
import { answerOptions } from '../../lib/answer-options.ts'
import { markLookAlikes } from '../../lib/look-alikes.ts'
import { visibleText } from '../../lib/visible.ts'
import { QUESTION_MAX_CHARS, QUESTION_OPTION_MAX_CHARS, QUESTION_OPTIONS_MAX } from './limits.ts'
import { slashCommands } from '../../skills/view/slash.ts'
import { builtin, errorResult, inputError } from '../record/builtin.ts'

export const ASK_CLARIFICATION = builtin({
  name: 'ask_clarification',
  aliases: ['askuserquestion'],
  group: 'person',
  label: { icon: 'tool', now: 'Asking', past: 'Asked', failed: 'Could not ask', many: 'questions' },
  always: true,
  description: `Asks the user one question and ends your turn: the answer is their next message. Use it before you begin when something that decides the outcome is missing (missing_info), can be understood in several ways (ambiguous_requirement), can be done in several ways of which the user should choose one (approach_choice), or causes harm that cannot be undone (risk_confirmation). Also use it to propose something (suggestion). Do not ask what you can find out yourself, and call no other tool in the same turn.`,
  input: z.strictObject({
    question: z.string().min(1).describe('One question, short and complete.'),
    kind: z.enum(QUESTION_KINDS),
    context: z.string().optional().describe('Why you ask, if that is not obvious.'),
    options: z
      .unknown()
      .optional()
      .describe(
        `Answers to choose from: a list of up to ${QUESTION_OPTIONS_MAX} short texts. The user may always write another answer.`,
      ),
  }),
  effect: 'read',
  run: async ({ canAskPerson: attended }, { question, kind, context, options }): Promise<ToolResult> => {
    if (!attended)
      return errorResult(
        'Nobody is available to answer in this run. Use your own judgement, and state your assumptions.',
      )
    const normalized: Question = {
      kind,
      question: visibleText(question),
      context: visibleText(context ?? '') || null,
      options: answerOptions(options),
    }
    const fault = faultOf(normalized)
    if (fault !== null) return inputError(`The question was not asked: ${fault}.`)
    return {
      content: "The question was asked. Your turn ends here; the answer is the user's next message.",
      isError: false,
      notes: [{ type: 'question', ...normalized }],
    }
  },
})

function faultOf({ question, context, options }: Question): string | null {
  if (question === '') return 'the question is blank'
  if (question.length > QUESTION_MAX_CHARS || (context ?? '').length > QUESTION_MAX_CHARS)
    return `question and context may be at most ${QUESTION_MAX_CHARS} characters long each`
  if (options.length > QUESTION_OPTIONS_MAX)
    return `it has ${options.length} options, but at most ${QUESTION_OPTIONS_MAX} can be offered`
  if (options.some((option) => option.length > QUESTION_OPTION_MAX_CHARS))
    return `an option may be at most ${QUESTION_OPTION_MAX_CHARS} characters long`
  // Clients normalize the options again, which must not change them.
  const normalizedOptions = new Set(answerOptions(options))
  const changedOption = options.find((option) => !normalizedOptions.has(option))
  if (changedOption !== undefined)
    return `an option contains markup (${changedOption}); write it as plain text`
  // The user sends the chosen option as a message, so it must mean what it appears to mean.
  const mixedOption = options.map(markLookAlikes).find((option) => option.includes('⟨U+'))
  if (mixedOption !== undefined)
    return `an option mixes look-alike letters of several scripts (${mixedOption}); write each word in one script`
  // An option that begins with a command would, when sent, call the skill on the user's behalf, even a skill that only
  // users may call.
  const command = options.find((option) => slashCommands(option).names.length > 0)
  if (command !== undefined)
    return `an option begins with a command (${command}); write it as an answer, without the slash`
  return null
}
