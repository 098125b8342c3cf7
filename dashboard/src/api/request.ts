/** A refusal of the operator API, in its own words. `status` 0: nothing answered. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly fields: readonly { readonly field: string; readonly message: string }[];

  constructor(status: number, body: RefusalBody['error']) {
    super(body.message);
    this.name = 'ApiError';
    this.status = status;
    this.code = body.code;
    this.fields = body.fields ?? [];
  }
}

interface RefusalBody {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly fields?: ApiError['fields'];
  };
}

export type Query = Readonly<Record<string, string | number | undefined>>;

/** Reads; parts of the query that are undefined are left out. @throws ApiError */
export function get<Body>(path: string, query: Query = {}, signal?: AbortSignal): Promise<Body> {
  return ask<Body>('GET', withQuery(path, query), undefined, signal);
}

/** Reads something that is no JSON, such as a document. @throws ApiError */
export async function getBlob(path: string, accept: string): Promise<Blob> {
  const response = await reach(path, { headers: { accept } });
  if (!response.ok) throw new ApiError(response.status, refusalOf(response, await response.text()));
  return response.blob();
}

/** Reads what comes bit by bit. @throws ApiError */
export async function stream(path: string, query: Query, signal: AbortSignal): Promise<Response> {
  const response = await reach(withQuery(path, query), { signal });
  if (!response.ok) throw new ApiError(response.status, refusalOf(response, await response.text()));
  return response;
}

/** Changes something. @throws ApiError */
export function send<Body>(
  method: 'POST' | 'PATCH' | 'PUT' | 'DELETE',
  path: string,
  body?: object,
): Promise<Body> {
  return ask<Body>(method, path, body);
}

/** Sends a file as it is, under its name. @throws ApiError */
export async function sendFile<Body>(path: string, query: Query, file: File): Promise<Body> {
  const response = await reach(withQuery(path, query), {
    method: 'POST',
    headers: {
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename*=UTF-8''${headerText(file.name)}`,
    },
    body: file,
  });
  const text = await response.text();
  if (!response.ok) throw new ApiError(response.status, refusalOf(response, text));
  return JSON.parse(text) as Body;
}

/** As RFC 8187 has it: what encodeURIComponent leaves as it is, and a header may not have, is encoded too. */
function headerText(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
}

/** A path below /api from its parts, each encoded: `apiPath('merchants', id)`. */
export function apiPath(...parts: readonly string[]): string {
  return `/api/${parts.map(encodeURIComponent).join('/')}`;
}

function withQuery(path: string, query: Query): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') params.set(name, String(value));
  }
  const text = params.toString();
  return text === '' ? path : `${path}?${text}`;
}

async function ask<Body>(
  method: string,
  url: string,
  body?: object,
  signal?: AbortSignal,
): Promise<Body> {
  const response = await reach(url, {
    method,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (response.status === 204) return undefined as Body;
  const text = await response.text();
  if (!response.ok) throw new ApiError(response.status, refusalOf(response, text));
  return JSON.parse(text) as Body;
}

async function reach(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError(0, {
      code: 'unreachable',
      message: 'Recoup does not answer. Is it running?',
    });
  }
}

function refusalOf(response: Response, text: string): RefusalBody['error'] {
  try {
    return (JSON.parse(text) as RefusalBody).error;
  } catch {
    return {
      code: 'unreadable',
      message: `The answer did not come from Recoup (status ${response.status}).`,
    };
  }
}
