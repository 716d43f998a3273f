import * as z from 'zod';
import { uuid } from '../values/uuid.ts';
import { anyJson, jsonObject, number, oneOf, optional, prose, shapeOf } from './values.ts';

const containerTypes = ['content_container', 'message', 'page', 'template'] as const;

/** The fields that the specification names. Other fields, which some types of block need, are kept unchanged. */
const data = shapeOf({
  acceptedConfirmationText: optional(prose(), 'Text that confirms an acceptance'),
  agreementText: optional(prose(), 'Text to agree to'),
  customClass: optional(prose(), 'CSS class'),
  declinedConfirmationText: optional(prose(), 'Text that confirms a refusal'),
  disagreeText: optional(prose(), 'Text of the choice to disagree'),
  documentLinkText: optional(prose(), 'Text of the link to the document'),
  documentLinkUrl: optional(prose(), 'URL of the document'),
  heading: optional(prose(), 'Heading'),
  name: optional(prose(), 'Name'),
  signatureBoxText: optional(prose(), 'Text of the signature box'),
}).catchall(anyJson().nullable());

const grid = shapeOf({
  xs: optional(anyJson(), 'Extra small screens'),
  sm: optional(anyJson(), 'Small screens'),
  md: optional(anyJson(), 'Medium screens'),
  lg: optional(anyJson(), 'Large screens'),
  xl: optional(anyJson(), 'Extra large screens'),
});

const fields = {
  css: optional(prose(), 'CSS'),
  data: optional(data, 'Texts and settings, depending on the type of the block'),
  grid: optional(grid, 'Size of the block in the grid, by screen width'),
  order: optional(number(), 'Position of the block'),
  slug: optional(prose(), 'Slug'),
  styles: optional(jsonObject(), 'Styles'),
  type: optional(prose(), 'Block type'),
};

/** A content block as it is imported and stored. The ids of its containers are added when it is returned. */
export const blockOf = <Id extends z.ZodType>(id: Id) => shapeOf({ id: id.describe('Block id'), ...fields });

/** A content block in responses (specification, "Content block"), with the ids of everything that contains it. */
export const contentBlock = z
  .object({
    id: uuid().describe('Block id'),
    container_id: uuid().describe('Id of the object that directly contains the block'),
    container_type: oneOf(containerTypes).describe('Type of the object that directly contains the block'),
    content_container_id: uuid().nullable().describe('Content container that contains the block'),
    message_id: uuid().nullable().describe('Message that contains the block'),
    page_id: uuid().nullable().describe('Page that contains the block'),
    template_id: uuid().nullable().describe('Template that contains the block'),
    ...fields,
  })
  .meta({ id: 'ContentBlock', description: 'A piece of content, with the ids of the objects that contain it' });
export type ContentBlock = z.output<typeof contentBlock>;
