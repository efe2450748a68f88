// Preview of one file: a picture, a table, prose, a page in a frame, or text. Nothing in a file runs.

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

import { useApp } from '../state/app.ts'
import type { FileInfo } from '../../thread/api.ts'
import { FailureNotice } from '../actions/failure-notice.tsx'
import { formatSize } from '../lib/format.ts'
import { describeFailure, type Trouble } from '../lib/failure.ts'
import { PREVIEW_MAX_BYTES } from '../lib/limits.ts'
import { CodeBlock } from '../markdown/code.tsx'
import { Prose } from '../markdown/prose.tsx'
import { Button } from '../parts/button.tsx'
import { SourceButton } from '../parts/source-button.tsx'
import { extensionOf, fileHref, kindOf, nameOf, pictureType } from '../run/files.ts'
import { previewKind, readText, type TextPreview } from '../state/files/preview.ts'
import { HtmlView } from './html-view.tsx'
import { Picture } from './picture.tsx'
import { ThreadPictures } from './thread-pictures.tsx'
import { TableView } from './table-view.tsx'
import { useDownload } from './use-download.ts'

export interface FileViewProps {
  readonly path: string
  readonly name: string
  /** The file's entry in the list; null if the list does not contain it or has not loaded yet. */
  readonly info: FileInfo | null
}

export function FileView({ path, name, info }: FileViewProps) {
  const { conversation } = useApp()
  const download = useDownload()
  const threadId = conversation.threadId.value ?? ''
  const href = info?.href ?? fileHref(threadId, path)
  const mediaType = pictureType(path)
  const kind = previewKind(path)
  const isSource = useSignal(false)
  return (
    <article class="file-view">
      <header>
        <small>{[kindOf(path), info && formatSize(info.bytes)].filter(Boolean).join(' · ')}</small>
        {(kind === 'prose' || kind === 'page') && <SourceButton isSource={isSource} />}
        <Button
          icon="download"
          isBusy={download.isDownloading.value}
          label={`Download ${name}`}
          onPress={() => void download.start(path, href)}
        >
          <span class="word">Download</span>
        </Button>
      </header>
      {download.error.value && <p role="alert">{download.error.value}</p>}
      {mediaType ? (
        <Picture href={href} mediaType={mediaType} title={name} version={info?.sha256} />
      ) : kind === null ? (
        <p class="quiet">This kind of file has no preview. Download it to open it.</p>
      ) : (
        <TextView threadId={threadId} path={path} version={info?.sha256 ?? ''} isSource={isSource.value} />
      )}
    </article>
  )
}

interface TextViewProps {
  readonly threadId: string
  readonly path: string
  /** Changes whenever the file's bytes change. */
  readonly version: string
  /** Shows the text as it is written instead of what it means. */
  readonly isSource: boolean
}

function TextView({ threadId, path, version, isSource }: TextViewProps) {
  const { session } = useApp()
  const preview = useSignal<TextPreview | 'bytes' | null>(null)
  const trouble = useSignal<Trouble | null>(null)
  const load = async (isCancelled: () => boolean): Promise<void> => {
    const client = session.client.peek()
    if (!client) return
    const result = await readText(client, threadId, path)
    if (isCancelled()) return
    const failure = result.ok ? null : describeFailure('The file could not be read', result.error)
    // A deleted file cannot be read in a new thread either.
    trouble.value = failure?.remedy === 'new' ? { ...failure, remedy: null } : failure
    if (result.ok) preview.value = result.value ?? 'bytes'
  }
  useEffect(() => {
    let isCancelled = false
    void load(() => isCancelled)
    return () => {
      isCancelled = true
    }
  }, [threadId, path, version])
  if (trouble.value) return <FailureNotice trouble={trouble.value} onRetry={() => void load(() => false)} />
  if (preview.value === null) return <p class="quiet">Reading the file…</p>
  if (preview.value === 'bytes')
    return <p class="quiet">This file is not text, although its name suggests it. Download it to open it.</p>
  const { text, isCut } = preview.value
  return (
    <>
      {isCut && (
        <p class="quiet">
          The first {formatSize(PREVIEW_MAX_BYTES)} are shown. Download the file to see all of it.
        </p>
      )}
      <FileContent path={path} text={text} isCut={isCut} isSource={isSource} />
    </>
  )
}

function FileContent({
  path,
  text,
  isCut,
  isSource,
}: Pick<TextViewProps, 'path' | 'isSource'> & TextPreview) {
  if (text.trim() === '') return <p class="quiet">This file is empty.</p>
  switch (isSource ? 'text' : previewKind(path)) {
    case 'table':
      return <TableView text={text} isCut={isCut} />
    case 'prose':
      return (
        <ThreadPictures folder={path.slice(0, Math.max(0, path.lastIndexOf('/')))}>
          <Prose text={text} done />
        </ThreadPictures>
      )
    case 'page':
      return <HtmlView key={text} text={text} name={nameOf(path)} />
    case 'picture':
    case 'text':
    case null:
      return <CodeBlock text={text} language={extensionOf(path)} isNeverFolded />
  }
}
