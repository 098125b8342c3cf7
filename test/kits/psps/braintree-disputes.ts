import { document, type XmlValue } from './braintree-xml.ts';
import { readMultipart } from './read-multipart.ts';
import { isAnswered, type TestDispute, type TestDisputes } from './test-disputes.ts';

/** `broken`: the connection breaks without an answer. */
export type BraintreeAnswer = { readonly status: number; readonly text: string } | 'broken';

interface Piece {
  readonly id: string;
  readonly comments?: string;
  readonly document_upload_id?: string;
  readonly category?: string;
  readonly sequence_number?: number;
}

/** DisputeFileEvidenceCategory. */
const fileCategories = [
  'GENERAL',
  'LEGIT_PAYMENTS_FOR_SAME_MERCHANDISE',
  'MERCHANT_WEBSITE_OR_APP_ACCESS',
  'PROFILE_SETUP_OR_APP_ACCESS',
  'PROOF_OF_3D_SECURE',
  'PROOF_OF_AUTHORIZED_SIGNER',
  'PROOF_OF_DELIVERY',
  'PROOF_OF_DELIVERY_EMP_ADDRESS',
  'PROOF_OF_POSSESSION_OR_USAGE',
  'SIGNED_DELIVERY_FORM',
  'SIGNED_ORDER_FORM',
  'TICKET_PROOF',
];

/** A dispute whose id ends so has a reason that takes no evidence by category. */
export const generalOnly = '_general_only';

/** `/disputes/:id` with its evidence, its end and its acceptance. */
export function answerBraintreeDispute(
  disputes: TestDisputes,
  { method, path, body }: { readonly method: string; readonly path: string; readonly body: string },
): BraintreeAnswer {
  const [, id = '', action = '', piece] = /\/disputes\/([^/]+)\/?(\w*)\/?(\w*)$/.exec(path) ?? [];
  const dispute = disputes.find(id);
  if (dispute === undefined) return { status: 404, text: '' };
  if (method === 'GET') return { status: 200, text: document('dispute', disputeXml(dispute)) };
  if (action === 'accept') dispute.acceptCalls += 1;
  const fault = disputes.takeFault();
  if (fault === 'lost_before') return 'broken';
  if (fault === 'refused' || isAnswered(dispute)) return refused(closedCodes[action] ?? '95701');
  const lack = action === 'finalize' ? lackOf(dispute.staged as Piece[]) : undefined;
  if (lack !== undefined) return refused(lack);
  if (action === 'finalize') dispute.submissions += 1;
  else if (action === 'accept') dispute.acceptances += 1;
  else if (method === 'DELETE') remove(dispute, piece);
  else {
    const refusal = addPiece(disputes, dispute, JSON.parse(body).evidence);
    if (refusal !== undefined) return refusal;
  }
  if (fault === 'lost_after') return 'broken';
  // As Rails answers where there is nothing to say.
  if (method === 'DELETE') return { status: 200, text: ' ' };
  return action === 'finalize' || action === 'accept'
    ? { status: 200, text: document('dispute', disputeXml(dispute)) }
    : { status: 201, text: document('evidence', pieceXml(dispute.staged.at(-1) as Piece)) };
}

/** `POST /document_uploads`, a form of two parts; the SDK puts the file first. */
export function answerDocumentUpload(
  disputes: TestDisputes,
  { bytes, contentType }: { readonly bytes: Buffer; readonly contentType: string | undefined },
): Exclude<BraintreeAnswer, 'broken'> {
  const parts = readMultipart(contentType, bytes) ?? [];
  const kind = parts.find(({ name }) => name === 'document_upload[kind]')?.bytes.toString();
  const part = parts.find(({ name }) => name === 'file');
  if (kind !== 'evidence_document') return refused('84901', 'document-upload');
  const { fileName: name = '', contentType: type = '' } = part ?? {};
  const isType = ['application/pdf', 'image/png', 'image/jpeg'].includes(type);
  if (part === undefined || !isType) return refused('84903', 'document-upload');
  if (part.bytes.length > 4 * 1024 * 1024) return refused('84902', 'document-upload');
  const kept = disputes.receive({ name, contentType: type, bytes: part.bytes });
  if (kept === undefined) return refused('84904', 'document-upload');
  const upload = { id: kept.id, kind, name, 'content-type': type, size: part.bytes.length };
  return { status: 201, text: document('document-upload', upload) };
}

function addPiece(
  disputes: TestDisputes,
  dispute: TestDispute,
  evidence: Omit<Piece, 'id'>,
): BraintreeAnswer | undefined {
  const { document_upload_id: upload, category = '' } = evidence;
  const isGeneral = category === 'GENERAL';
  if (!isGeneral && dispute.id.endsWith(generalOnly)) return refused('95713');
  if (upload !== undefined) {
    if (!disputes.files.some(({ id }) => id === upload)) return refused('95703');
    if (!fileCategories.includes(category)) return refused('95711');
    const isThere = (dispute.staged as Piece[]).some((piece) => piece.category === category);
    if (!isGeneral && isThere) return refused('95714');
  }
  dispute.added = (dispute.added ?? 0) + 1;
  dispute.staged.push({ ...evidence, id: `evidence${dispute.added}` });
  return undefined;
}

const prior = 'PRIOR_NON_DISPUTED_TRANSACTION_';
const ofDownloads = ['DEVICE_ID', 'DEVICE_NAME', 'GEOGRAPHICAL_LOCATION'];

/** The code of what evidence by category lacks when it is finalized. */
function lackOf(pieces: readonly Piece[]): string | undefined {
  const isThere = (names: readonly string[], of: readonly Piece[] = pieces) =>
    of.some(({ category = '' }) => names.includes(category));
  if (isThere(ofDownloads) && !isThere(['DOWNLOAD_DATE_TIME'])) return '95721';
  const priors = pieces.filter(({ category }) => category?.startsWith(prior));
  for (const number of new Set(priors.map((piece) => piece.sequence_number))) {
    const group = priors.filter((piece) => piece.sequence_number === number);
    if (!isThere([`${prior}ARN`], group)) return '95722';
    if (!isThere([`${prior}DATE_TIME`], group)) return '95723';
    const addresses = ['EMAIL_ADDRESS', 'IP_ADDRESS', 'PHYSICAL_ADDRESS'];
    if (
      !isThere(
        addresses.map((name) => `${prior}${name}`),
        group,
      )
    )
      return '95727';
  }
  return undefined;
}

function remove(dispute: TestDispute, piece: string | undefined): void {
  const at = (dispute.staged as Piece[]).findIndex(({ id }) => id === piece);
  if (at >= 0) dispute.staged.splice(at, 1);
}

function disputeXml({ id, staged, submissions, acceptances }: TestDispute): XmlValue {
  const answered = acceptances > 0 ? 'accepted' : 'disputed';
  return {
    id,
    status: submissions + acceptances > 0 ? answered : 'open',
    kind: 'chargeback',
    evidence: staged.map((piece) => ({ evidence: pieceXml(piece as Piece) })),
  };
}

/** Neither the document nor the name of a file is told. */
function pieceXml(piece: Piece): XmlValue {
  const { id, comments, document_upload_id: upload, category, sequence_number } = piece;
  return {
    id,
    comment: comments ?? null,
    url: upload === undefined ? null : `https://assets.example.com/${id}?signature=x`,
    category,
    'sequence-number': sequence_number ?? null,
    'created-at': '2026-11-02T09:00:00Z',
    'sent-to-processor-at': null,
  };
}

/** What is refused of disputes that are not open any more. */
const closedCodes: Readonly<Record<string, string>> = { accept: '95704', finalize: '95705' };

const messages: Readonly<Record<string, string>> = {
  '95701': 'Evidence can only be attached to disputes that are in an Open state',
  '95704': 'Disputes can only be accepted when they are in an Open state',
  '95705': 'Disputes can only be finalized when they are in an Open state',
};

function refused(code: string, of = 'dispute'): Exclude<BraintreeAnswer, 'broken'> {
  const message = messages[code] ?? 'It is not taken.';
  const attribute = messages[code] === undefined ? 'evidence' : 'status';
  const errors = { errors: [], [of]: { errors: [{ error: { code, attribute, message } }] } };
  return { status: 422, text: document('api-error-response', { errors, message }) };
}
