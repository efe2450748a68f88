// Lists the files of a skill. Text files are shown; others can only be downloaded. Never opens a file that a browser would run.

import { useSignal } from '@preact/signals'

import type { SkillDetail } from '../../client/skills.ts'
import { useApp } from '../state/app.ts'
import { counted } from '../../lib/counted.ts'
import { formatSize } from '../lib/format.ts'
import { saveAsDownload } from '../lib/save.ts'
import { CodeBlock } from '../markdown/code.tsx'
import { Prose } from '../markdown/prose.tsx'
import { extensionOf } from '../run/files.ts'
import { Button } from '../parts/button.tsx'
import { SourceButton } from '../parts/source-button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { iconOf } from '../files/file-mark.tsx'
import { Icon } from '../parts/icon.tsx'
import { Notice } from '../parts/notice.tsx'
import { Skeleton } from '../parts/skeleton.tsx'

export function SkillFiles({ skill: { manifest } }: { readonly skill: SkillDetail }) {
  const { openedSkill } = useApp()
  const files = manifest.filter(({ path }) => path !== 'SKILL.md')
  const shownPath = openedSkill.file.value?.path ?? openedSkill.fetchedPath.value
  const trouble = openedSkill.fileTrouble.value
  if (files.length === 0) return null
  return (
    <details class="skill-files" open={files.length <= 12}>
      <summary>{counted(files.length, 'other file')}</summary>
      <ul>
        {files.map(({ path }) => (
          <li key={path}>
            <button type="button" class="item" onClick={() => void openedSkill.openFile(path)}>
              <Icon name={iconOf(path)} />
              <span dir="auto">{path}</span>
            </button>
          </li>
        ))}
      </ul>
      {trouble && <Notice trouble={trouble} />}
      {shownPath !== null && <FileDialog path={shownPath} />}
    </details>
  )
}

function FileDialog({ path }: { readonly path: string }) {
  const { openedSkill } = useApp()
  const file = openedSkill.file.value
  const isSource = useSignal(false)
  const isProse = extensionOf(path) === 'md'
  return (
    <Dialog title={path} shape="tall" onClose={openedSkill.closeFile}>
      {!file && <Skeleton lines={6} label="The file is loading" />}
      {file && file.text === null && (
        <p>This file ({formatSize(file.bytes.byteLength)}) has no preview. Download it to open it.</p>
      )}
      {file && file.text !== null && isProse && !isSource.value && <Prose text={file.text} done />}
      {file && file.text !== null && (!isProse || isSource.value) && (
        <CodeBlock text={file.text} language={extensionOf(path)} isNeverFolded />
      )}
      {file && (
        <footer>
          {isProse && <SourceButton isSource={isSource} />}
          <Button icon="download" onPress={() => saveAsDownload(file.bytes, path.split('/').at(-1) ?? path)}>
            Download
          </Button>
        </footer>
      )}
    </Dialog>
  )
}
