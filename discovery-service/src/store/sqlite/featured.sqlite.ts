import type { SqliteCalls } from "@hearth/runtime";
import type { FeaturedStore } from "../../domain/store.ts";

export function sqliteFeatured({ prepare, query }: SqliteCalls): FeaturedStore {
  const list = prepare("SELECT server_id AS id FROM featured ORDER BY featured_at, server_id");
  const add = prepare(`
    INSERT INTO featured (server_id, featured_at) SELECT id, :at FROM servers WHERE id = :id
    ON CONFLICT (server_id) DO UPDATE SET server_id = excluded.server_id`);
  const remove = prepare("DELETE FROM featured WHERE server_id = ?");
  return {
    list: query(() => (list.all() as { id: string }[]).map(({ id }) => id)),
    add: query((id, at) => add.run({ id, at }).changes === 1),
    remove: query((id) => remove.run(id).changes === 1),
  };
}
