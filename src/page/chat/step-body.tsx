// The readable content of an opened step. "Raw" shows the model's JSON and the raw result. Loaded with the first
// steps.

import { visibleText } from '../../lib/visible.ts'
import { CodeBlock } from '../markdown/code.tsx'
import { Prose } from '../markdown/prose.tsx'
import { shortenDigest } from '../lib/format.ts'
import { withoutRoots } from '../../client/call-text.ts'
import { excerptOf, inputText } from '../run/details.ts'
import type { LoadedSkillItem, ToolItem } from '../run/items.ts'
import { addressOf, SKILL_ADDRESS } from '../state/frame/route.ts'
import { InputFields } from './input-fields.tsx'
import { inputFields, stepViewOf, type Readable, type StepView } from '../run/step-view.ts'
import { Request } from './turn-request.tsx'

export function OpenedStep({ shown }: { readonly shown: ToolItem | LoadedSkillItem }) {
  return (
    <div class="step-body">{'input' in shown ? <CallBody call={shown} /> : <LoadedVersion {...shown} />}</div>
  )
}

function CallBody({ call }: { readonly call: ToolItem }) {
  return (
    <>
      {call.approval && (
        <p class="quiet">
          Approved by <bdi>{visibleText(call.approval.decidedBy)}</bdi>
        </p>
      )}
      <StepContent view={stepViewOf(call)} call={call} />
      <details class="raw">
        <summary>Raw</summary>
        <Excerpt title="Input" text={inputText(call.name, call.input)} />
        <Excerpt title={call.state === 'running' ? 'So far' : 'Result'} text={call.preview} />
      </details>
    </>
  )
}

function StepContent({ view, call }: { readonly view: StepView; readonly call: ToolItem }) {
  switch (view.kind) {
    case 'terminal':
      return <Terminal {...view} />
    case 'skill':
      return <LoadedVersion {...(call.skill ?? view)} />
    case 'file':
      return <FileText {...view} />
    case 'page':
      return (
        <>
          <div class="terminal">
            <pre dir="ltr">
              <b class="address">GET {visibleText(view.url)}</b>
            </pre>
            {view.failure !== null && <span class="badge bad">{view.failure}</span>}
          </div>
          {view.failure !== null ? (
            <p class="quiet" dir="auto">
              {excerptOf(view.text).excerpt}
            </p>
          ) : (
            <Passage text={view.text} isProse={call.state === 'done'} />
          )}
        </>
      )
    case 'fields':
      return (
        <>
          {call.approval ? (
            <Request item={call.approval} />
          ) : (
            <InputFields fields={inputFields(call.input)} />
          )}
          <Answer {...view} isRunning={call.state === 'running'} />
        </>
      )
  }
}

interface AnswerProps {
  readonly status: string | null
  readonly answer: Readable
  readonly isRunning: boolean
}

function Answer({ status, answer, isRunning }: AnswerProps) {
  if (status === null && answer.length === 0) return null
  return (
    <figure class="answer">
      <figcaption>
        {isRunning ? 'So far' : 'Result'}
        {status !== null && <span class={status < 'HTTP 400' ? 'badge' : 'badge bad'}>{status}</span>}
      </figcaption>
      {typeof answer === 'string' ? <Passage text={answer} /> : <InputFields fields={answer} />}
    </figure>
  )
}

/** Plain text, or Markdown if `isProse` is true. */
function Passage({ text, isProse = false }: { readonly text: string; readonly isProse?: boolean }) {
  if (text === '') return null
  const { excerpt, note } = excerptOf(text)
  return (
    <>
      {isProse ? (
        <div class="file-prose">
          <Prose text={excerpt} done />
        </div>
      ) : (
        <pre dir="auto">{excerpt}</pre>
      )}
      {note !== null && <p class="quiet">{note}</p>}
    </>
  )
}

function Terminal({ command, output, exit, note }: Extract<StepView, { readonly kind: 'terminal' }>) {
  const { excerpt, note: cutNote } = excerptOf(output)
  return (
    <div class="terminal">
      <pre dir="ltr">
        <span class="prompt" aria-hidden="true">
          ${' '}
        </span>
        <b>{command}</b>
        {excerpt !== '' && `\n${excerpt}`}
      </pre>
      {exit !== null && <span class="badge bad">{exit}</span>}
      {[cutNote, note].map((text) => text && <p key={text}>{text}</p>)}
    </div>
  )
}

function FileText({ path, text, language }: Extract<StepView, { readonly kind: 'file' }>) {
  const { excerpt, note } = excerptOf(text)
  return (
    <figure>
      <figcaption dir="auto">{visibleText(withoutRoots(path))}</figcaption>
      {language === 'md' ? (
        <Passage text={text} isProse />
      ) : (
        <>
          <CodeBlock text={excerpt} language={language} isNeverFolded />
          {note !== null && <p class="quiet">{note}</p>}
        </>
      )}
    </figure>
  )
}

/** A skill with a link to its page. The version is unknown if the skill was loaded before the thread was forked. */
function LoadedVersion({ name, category, digest }: Pick<LoadedSkillItem, 'name'> & Partial<LoadedSkillItem>) {
  return (
    <p class="quiet">
      <a href={addressOf({ view: SKILL_ADDRESS, id: name })}>{visibleText(name)}</a>
      {category !== undefined && `, ${category === 'public' ? 'built-in' : 'custom'}`}
      {digest !== undefined && (
        <>
          , version <code title={digest}>{shortenDigest(digest)}</code>
        </>
      )}
    </p>
  )
}

function Excerpt({ title, text }: { readonly title: string; readonly text: string }) {
  if (text === '') return null
  const { excerpt, note } = excerptOf(text)
  return (
    <figure>
      <figcaption>{title}</figcaption>
      <pre dir="auto">{excerpt}</pre>
      {note !== null && <p class="quiet">{note}</p>}
    </figure>
  )
}
