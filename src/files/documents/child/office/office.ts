// Reads a DOCX or XLSX: finds the main part of the package and passes it to the right reader.

import { readDocx } from './docx.ts'
import { packageOf, relationsOf } from './package.ts'
import { DocumentRefused, type TimeBudget } from '../common/pace.ts'
import { readXlsx } from './xlsx.ts'
import { readXml, xmlBudget, type XmlBudget } from './xml.ts'
import { Zip } from './zip.ts'

import type { DocumentText } from '../../document.ts'

const OLE_SIGNATURE = [0xd0, 0xcf, 0x11, 0xe0]
const NO_OFFICE =
  'The file is a zip archive but not a DOCX or XLSX, although its name says so. Ask the user for the document itself.'

export async function readOffice(bytes: Uint8Array, pace: TimeBudget): Promise<DocumentText> {
  if (OLE_SIGNATURE.every((byte, index) => bytes[index] === byte))
    throw new DocumentRefused(
      'The file is protected by a password, or in a format from before 2007 (.doc, .xls). Ask the user to save it as DOCX or XLSX without a password.',
    )
  const zip = new Zip(bytes, pace)
  const budget = xmlBudget()
  const packageRelations = await relationsOf(zip, budget, '')
  const main = [...packageRelations.values()].find(({ type }) => type === 'officeDocument')?.target
  if (main === undefined || !zip.has(main)) throw new DocumentRefused(NO_OFFICE)
  const parts = packageOf(zip, budget, main)
  const type = await typeOf(zip, budget, main)
  if (/wordprocessingml/i.test(type)) return readDocx(parts)
  if (/spreadsheetml|ms-excel\.(sheet|template|addin)\.macro/i.test(type)) return readXlsx(parts, pace)
  if (/ms-word\.(document|template)\.macro/i.test(type)) return readDocx(parts)
  if (/binary/i.test(type))
    throw new DocumentRefused(
      'The file is a binary workbook (.xlsb), which cannot be read here. Ask the user to save it as XLSX.',
    )
  if (/presentationml/i.test(type))
    throw new DocumentRefused(
      'The file is a presentation, which cannot be read here. Ask the user for its text, or to export it as PDF.',
    )
  throw new DocumentRefused(NO_OFFICE)
}

/** The content type of a part. */
async function typeOf(zip: Zip, budget: XmlBudget, part: string): Promise<string> {
  let [override, byExtension] = ['', '']
  await readXml(zip.read('[Content_Types].xml'), budget, {
    open(name, attributes) {
      const type = attributes.get('ContentType') ?? ''
      if (name === 'ct:Override' && attributes.get('PartName')?.toLowerCase() === `/${part.toLowerCase()}`)
        override = type
      const extension = attributes.get('Extension')
      if (
        name === 'ct:Default' &&
        extension !== undefined &&
        part.toLowerCase().endsWith(`.${extension.toLowerCase()}`)
      )
        byExtension = type
    },
  })
  return override || byExtension
}
