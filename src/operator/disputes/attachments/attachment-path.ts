import { Type } from 'typebox';
import { AppError } from '../../../domain/errors.ts';
import { ourIdField } from '../../shapes.ts';
import { merchantDisputePath } from '../dispute-of-merchant.ts';

export const attachmentPath = Type.Object({
  ...merchantDisputePath.properties,
  attachment_id: ourIdField("The file's id."),
});

export function noAttachment(): AppError {
  return new AppError('not_found', 'The dispute has no file with this id.');
}
