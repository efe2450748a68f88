// Guards "accepted is kept" in the agent loop: every state of a run has exactly one next action, and every way to stop
// has its own reason.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Effect } from '../../../src/agent/tool.ts'
import {
  decide,
  type NextAction,
  type CallState,
  type CallView,
  type RunView,
} from '../../../src/agent/loop.ts'
import { CUT_CONTINUATIONS_MAX, PAUSE_TURNS_MAX } from '../../../src/agent/limits.ts'

const START: RunView = {
  cancel: null,
  last: 'user',
  modelStop: null,
  calls: [],
  continuations: 0,
  isEmptyAnswer: false,
  hasOpenPlan: false,
  pauses: 0,
  summingUp: false,
  awaitsInput: false,
  isSteered: false,
  limit: null,
  compactionDue: false,
  onlyCompacts: false,
}

/** Calls with side effects, each a barrier. */
function acting(...states: readonly CallState[]): readonly CallView[] {
  return states.map((state) => ({ state, effect: 'once' }))
}

function reading(...states: readonly CallState[]): readonly CallView[] {
  return states.map((state) => ({ state, effect: 'read' }))
}

function output(modelStop: string, more: Partial<RunView> = {}): RunView {
  return { ...START, last: 'assistant', modelStop, ...more }
}

const LIMIT = { stop: 'step_limit', detail: 'Three steps.' } as const
const CALL: NextAction = { do: 'call_model', forbidTools: false }

function ended(status: string, stop: string): unknown {
  return expect.objectContaining({ do: 'end', status, stop })
}

describe('the loop', () => {
  const table: Record<string, [view: RunView, next: unknown]> = {
    'calls the model after a message': [START, CALL],
    'calls the model without tools after a loop': [
      { ...START, summingUp: true },
      { do: 'call_model', forbidTools: true },
    ],
    'does not call the model beyond a limit': [
      { ...START, limit: LIMIT },
      { do: 'end', status: 'failed', stop: 'step_limit', detail: 'Three steps.' },
    ],
    'ends when the person was asked a question': [
      { ...START, awaitsInput: true },
      ended('completed', 'awaiting_input'),
    ],
    'runs the called tools': [
      output('tool_use', { calls: acting('planned', 'planned') }),
      { do: 'run_tools' },
    ],
    'continues with started tools': [
      output('tool_use', { calls: acting('finished', 'started') }),
      { do: 'run_tools' },
    ],
    'waits for a pending call, and makes none after it': [
      output('tool_use', { calls: acting('finished', 'waiting', 'planned') }),
      { do: 'wait' },
    ],
    'makes the call before a pending one': [
      output('tool_use', { calls: acting('planned', 'waiting') }),
      { do: 'run_tools' },
    ],
    'makes reads beside a pending call': [
      output('tool_use', { calls: reading('waiting', 'planned', 'finished') }),
      { do: 'run_tools' },
    ],
    'waits once all reads beside it are done': [
      output('tool_use', { calls: [...reading('waiting', 'finished'), ...acting('planned')] }),
      { do: 'wait' },
    ],
    'does not wait after a cancel': [
      output('tool_use', { calls: acting('waiting'), cancel: 'cancelled' }),
      ended('cancelled', 'cancelled'),
    ],
    'returns results when all calls are done': [
      output('tool_use', { calls: acting('finished', 'finished') }),
      { do: 'append_results' },
    ],
    'runs no tool beyond a limit': [
      output('tool_use', { calls: acting('planned'), limit: LIMIT }),
      ended('failed', 'step_limit'),
    ],
    'treats a tool_use stop without a call as an answer': [
      output('tool_use'),
      ended('completed', 'answered'),
    ],
    'makes no call of a message that must not have any': [
      output('tool_use', { summingUp: true }),
      ended('completed', 'loop_detected'),
    ],
    'completes at the end of a turn': [output('end_turn'), ended('completed', 'answered')],
    'completes at a stop sequence': [output('stop_sequence'), ended('completed', 'answered')],
    'keeps an answer that used up the budget': [
      output('end_turn', { limit: LIMIT }),
      ended('completed', 'answered'),
    ],
    'reports a loop': [output('end_turn', { summingUp: true }), ended('completed', 'loop_detected')],
    'continues after a pause': [output('pause_turn', { pauses: PAUSE_TURNS_MAX - 1 }), CALL],
    'does not pause forever': [
      output('pause_turn', { pauses: PAUSE_TURNS_MAX }),
      ended('failed', 'model_error'),
    ],
    'does not continue after a pause beyond a limit': [
      output('pause_turn', { pauses: 1, limit: LIMIT }),
      ended('failed', 'step_limit'),
    ],
    'ends at a refusal': [output('refusal'), ended('completed', 'refused')],
    'runs no call of a truncated message, and asks for the rest': [
      output('max_tokens', { calls: acting('planned'), continuations: CUT_CONTINUATIONS_MAX - 1 }),
      { do: 'ask_again', why: 'cut', otherwise: ended('completed', 'truncated') },
    ],
    'does not continue a truncated message forever': [
      output('max_tokens', { continuations: CUT_CONTINUATIONS_MAX }),
      ended('completed', 'truncated'),
    ],
    'keeps a message truncated at a limit': [
      output('max_tokens', { limit: LIMIT }),
      ended('completed', 'truncated'),
    ],
    'retries after an empty answer': [
      output('end_turn', { isEmptyAnswer: true }),
      { do: 'ask_again', why: 'empty', otherwise: ended('completed', 'answered') },
    ],
    'reminds the model of open items of its plan': [
      output('end_turn', { hasOpenPlan: true }),
      { do: 'ask_again', why: 'plan', otherwise: ended('completed', 'answered') },
    ],
    'does not remind a model that sums up after a loop': [
      output('end_turn', { hasOpenPlan: true, summingUp: true }),
      ended('completed', 'loop_detected'),
    ],
    'accepts an empty answer at a limit': [
      output('end_turn', { isEmptyAnswer: true, limit: LIMIT }),
      ended('completed', 'answered'),
    ],
    'ends when the window is full': [
      output('model_context_window_exceeded'),
      ended('completed', 'truncated'),
    ],
    'stops safely at an unknown stop reason': [output('tired'), ended('failed', 'model_error')],
    'adds a steering message before the next call, and before the end': [
      { ...START, isSteered: true },
      { do: 'join_steered', otherwise: null },
    ],
    'answers a steering message with one more step': [
      output('end_turn', { isSteered: true }),
      { do: 'join_steered', otherwise: ended('completed', 'answered') },
    ],
    'leaves a steering message to the next run at a limit': [
      output('end_turn', { isSteered: true, limit: LIMIT }),
      ended('completed', 'answered'),
    ],
    'leaves a steering message to the next run after a question': [
      { ...START, isSteered: true, awaitsInput: true },
      ended('completed', 'awaiting_input'),
    ],
    'obeys a cancel before anything else': [
      output('tool_use', { calls: acting('planned'), cancel: 'cancelled', limit: LIMIT }),
      ended('cancelled', 'cancelled'),
    ],
    'reports an interruption by a newer message': [
      { ...START, cancel: 'interrupted' },
      ended('cancelled', 'interrupted'),
    ],
  }
  for (const [what, [view, next]] of Object.entries(table))
    it(what, () => {
      expect(decide(view)).toEqual(next)
    })

  it('has one next action for every state, and no model call beyond a limit', () => {
    const view = fc.record<RunView>({
      cancel: fc.constantFrom(null, 'cancelled', 'interrupted'),
      last: fc.constantFrom('user', 'assistant'),
      modelStop: fc.option(
        fc.constantFrom('tool_use', 'end_turn', 'pause_turn', 'refusal', 'max_tokens', 'x'),
      ),
      calls: fc.array(
        fc.record<CallView>({
          state: fc.constantFrom<CallState>('planned', 'started', 'waiting', 'finished'),
          effect: fc.constantFrom<Effect>('read', 'idempotent', 'once'),
        }),
        { maxLength: 4 },
      ),
      continuations: fc.nat(CUT_CONTINUATIONS_MAX + 1),
      isEmptyAnswer: fc.boolean(),
      hasOpenPlan: fc.boolean(),
      pauses: fc.nat(PAUSE_TURNS_MAX + 1),
      summingUp: fc.boolean(),
      awaitsInput: fc.boolean(),
      isSteered: fc.boolean(),
      limit: fc.option(fc.constant(LIMIT)),
      compactionDue: fc.boolean(),
      onlyCompacts: fc.boolean(),
    })
    fc.assert(
      fc.property(view, (state) => {
        const action = decide(state)
        expect([
          'call_model',
          'compact',
          'run_tools',
          'append_results',
          'ask_again',
          'join_steered',
          'wait',
          'end',
        ]).toContain(action.do)
        if (state.limit || state.cancel)
          expect(['run_tools', 'call_model', 'compact', 'ask_again', 'join_steered', 'wait']).not.toContain(
            action.do,
          )
      }),
    )
  })
})
