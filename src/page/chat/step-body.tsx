// The content of an opened step, as people read it. The model's JSON and the raw result are behind "Raw".

import { visibleText } from '../../lib/visible.ts'
import { CodeBlock } from '../markdown/code.tsx'
import { Prose } from '../markdown/prose.tsx'
import { shortenDigest } from '../lib/format.ts'
import { excerptOf, inputText } from '../run/details.ts'
import type { LoadedSkillItem, ToolItem } from '../run/items.ts'
import { addressOf } from '../state/frame/route.ts'
import { InputFields } from './input-fields.tsx'
import { stepViewOf, type StepView } from '../run/step-view.ts'

export function StepBody({ call }: { readonly call: ToolItem }) {
  return (
    <div class="step-body">
      <Readable view={stepViewOf(call)} call={call} />
      <details class="raw">
        <summary>Raw</summary>
        <Excerpt title="Input" text={inputText(call.name, call.input)} />
        <Excerpt title={call.state === 'running' ? 'So far' : 'Result'} text={call.preview} />
      </details>
    </div>
  )
}

function Readable({ view, call }: { readonly view: StepView; readonly call: ToolItem }) {
  switch (view.kind) {
    case 'terminal':
      return <Terminal {...view} />
    case 'skill':
      return call.skill && <LoadedVersion skill={call.skill} />
    case 'file':
      return <FileText {...view} />
    case 'fields':
      return (
        <>
          <InputFields input={call.input} />
          <Excerpt title={call.state === 'running' ? 'So far' : 'Result'} text={view.result} />
        </>
      )
  }
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
      <figcaption dir="auto">{visibleText(path)}</figcaption>
      {language === 'md' ? (
        <div class="file-prose">
          <Prose text={excerpt} done />
        </div>
      ) : (
        <CodeBlock text={excerpt} language={language} isNeverFolded />
      )}
      {note !== null && <p class="quiet">{note}</p>}
    </figure>
  )
}

export function LoadedVersion({ skill: { name, category, digest } }: { readonly skill: LoadedSkillItem }) {
  return (
    <p class="quiet">
      <a href={addressOf({ view: 'skill', id: name })}>{name}</a>,{' '}
      {category === 'public' ? 'built-in' : 'custom'}, version{' '}
      <code title={digest}>{shortenDigest(digest)}</code>
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
