// One question and its answer. Arranges the parts of a turn.

import { useMemo, useRef } from 'preact/hooks'

import { useApp } from '../state/app.ts'
import { Artifacts } from '../files/artifacts.tsx'
import { FileChips } from '../files/chips.tsx'
import { ThreadPictures } from '../files/thread-pictures.tsx'
import { Prose } from '../markdown/prose.tsx'
import type { Item } from '../run/items.ts'
import { rowsOf, type Row } from '../run/rows.ts'
import { splitRows } from '../run/work.ts'
import { hasEnded } from '../run/state.ts'
import type { Turn } from '../state/chat/turn.ts'
import { TurnActions } from './turn-actions.tsx'
import { ApprovalCard } from './turn-approval.tsx'
import { Versions } from './branches.tsx'
import { EditQuestion } from './turn-edit.tsx'
import { UserMessage } from './user-message.tsx'
import { QuestionCard } from './turn-question.tsx'
import { LoadedStep, StepNote, Step, StepGroup, Thinking } from './turn-steps.tsx'
import { TurnTrouble, TurnProgress } from './turn-trouble.tsx'
import { FoldedWork } from './turn-work.tsx'

export function TurnView({ turn }: { readonly turn: Turn }) {
  const { conversation } = useApp()
  const editButton = useRef<HTMLButtonElement>(null)
  const run = turn.run.value
  const question = turn.question.value
  const { work, answer } = splitRows(rowsOf(run.items), hasEnded(run))
  const viewOfRow = (row: Row) => {
    // A thought is over as soon as something follows it. Its message may end later.
    const isPast = row.kind === 'single' && row.item.kind === 'thinking' && row.item !== run.items.at(-1)
    return <RowView key={row.key} row={row} turn={turn} ended={hasEnded(run) || isPast} />
  }
  const isEditing = conversation.editedTurn.value === turn
  return (
    <article class="turn" aria-label={`Question ${conversation.turns.value.indexOf(turn) + 1}`}>
      <h2 class="unseen">You asked</h2>
      {isEditing ? (
        <EditQuestion turn={turn} onLeave={() => editButton.current?.focus()}>
          <FileChips files={question.files} />
        </EditQuestion>
      ) : (
        question.text !== '' && (
          <UserMessage
            text={question.text}
            editButton={editButton}
            versions={<Versions turn={turn} />}
            onEdit={hasEnded(run) ? () => (conversation.editedTurn.value = turn) : null}
          >
            <FileChips files={question.files} />
          </UserMessage>
        )
      )}
      {!isEditing && question.text === '' && <FileChips files={question.files} />}
      <h2 class="unseen">Answer</h2>
      {work.length > 0 && <FoldedWork turn={turn}>{work.map(viewOfRow)}</FoldedWork>}
      {answer.map(viewOfRow)}
      <Artifacts run={run} />
      <TurnProgress turn={turn} />
      <TurnTrouble turn={turn} />
      {hasEnded(run) && run.stopReason !== 'compacted' && <TurnActions turn={turn} />}
    </article>
  )
}

interface RowProps {
  readonly row: Row
  readonly turn: Turn
  readonly ended: boolean
}

/** Renders a row again only if the row itself has changed, no matter how often the run changes. */
function RowView({ row, turn, ended }: RowProps) {
  const content = row.kind === 'single' ? row.item : row.calls
  return useMemo(
    () =>
      row.kind === 'single' ? <ItemView item={row.item} turn={turn} ended={ended} /> : <StepGroup {...row} />,
    // A group is a new array on every render, so compare its length and its last call instead.
    Array.isArray(content) ? [content.length, content.at(-1), turn, ended] : [content, turn, ended],
  )
}

function ItemView({ item, turn, ended }: Omit<RowProps, 'row'> & { readonly item: Item }) {
  switch (item.kind) {
    case 'text':
      return (
        <ThreadPictures>
          <Prose text={item.text} done={item.done || ended} />
        </ThreadPictures>
      )
    case 'thinking':
      return <Thinking thought={item} ended={ended} />
    case 'steered':
      return (
        <div class="asked">
          <div class="question">
            <Prose text={item.text} done />
          </div>
        </div>
      )
    case 'note':
      return <StepNote text={item.text} details={item.details} />
    case 'skill':
      return <LoadedStep skill={item.skill} />
    case 'approval':
      return <ApprovalCard item={item} />
    case 'tool':
      return item.name === 'ask_clarification' && item.state !== 'failed' ? (
        <QuestionCard item={item} turn={turn} />
      ) : (
        <Step call={item} />
      )
  }
}
