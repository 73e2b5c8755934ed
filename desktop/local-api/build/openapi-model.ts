/** The part of OpenAPI that the build uses. */
export interface Schema {
  pattern?: string;
  type?: string | readonly string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: unknown;
  description?: string;
  format?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
}

export interface Parameter {
  name: string;
  in: string;
  required: boolean;
  description?: string;
  example?: unknown;
  schema: Schema;
}

export interface Media {
  schema: unknown;
  example?: unknown;
  examples?: Record<string, { summary: string; value: unknown }>;
}

export interface Answer {
  description: string;
  headers?: Record<string, unknown>;
  content?: Record<string, Media>;
}

export interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags: readonly string[];
  security: readonly Record<string, readonly string[]>[];
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Record<string, Media> };
  responses: Record<string, Answer | { $ref: string }>;
}

export interface OpenApi {
  openapi: string;
  info: { title: string; version: string; description: string };
  servers: readonly { url: string; description: string }[];
  tags: readonly { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    securitySchemes: Record<string, unknown>;
    headers: Record<string, unknown>;
    responses: Record<string, Answer>;
    schemas: Record<string, Schema>;
  };
}
