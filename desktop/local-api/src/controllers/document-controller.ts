import { Get, Header, Response, Route, Tags } from "@tsoa/runtime";
import { textOf } from "../http/json-text.ts";
import { DeviceController } from "./device-controller.ts";

/** Members that OpenAPI itself describes. */
export interface OpenApiMembers {
  readonly [name: string]: unknown;
}

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: OpenApiMembers;
  readonly paths: OpenApiMembers;
  readonly components: OpenApiMembers;
}

const names = (header: string, etag: string): boolean =>
  header.split(",").some((candidate) => {
    const name = candidate.trim().replace(/^W\//, "");
    return name === etag || name === "*";
  });

@Route("api/openapi.json")
@Tags("About")
export class DocumentController extends DeviceController {
  /**
   * Needs no token. Answers 304 to an `If-None-Match` that names the current `ETag`.
   * @summary Describe the local API
   * @returns This document
   */
  @Get()
  @Response(304, "The document has not changed")
  async getOpenApiDocument(
    @Header("If-None-Match") ifNoneMatch?: string,
  ): Promise<OpenApiDocument | undefined> {
    const { text, etag } = this.ports.document;
    this.setHeader("ETag", etag);
    this.setHeader("Cache-Control", "no-cache");
    if (ifNoneMatch === undefined || !names(ifNoneMatch, etag)) return textOf(text);
    this.setStatus(304);
    return undefined;
  }
}
