package cli

import (
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"retrylab.example/web/site"
)

func newSite() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "site",
		Short: "Build the site into a folder that any web host can serve",
		Long: "Build the site from the source tree around the working directory into a folder that any web host can\n" +
			"serve, from any subfolder.",
	}
	out := cmd.Flags().String("out", "dist", "folder to write")
	fast := cmd.Flags().Bool("fast", false, "compress quickly instead of well")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		begun := time.Now()
		report, err := site.Build(site.Config{Out: *out, Release: !*fast})
		if errors.Is(err, site.ErrNoSource) {
			return fmt.Errorf("%w; run this command inside a checkout of Retry Lab", err)
		}
		if err != nil {
			return err
		}
		return printReport(cmd.OutOrStdout(), *out, report, time.Since(begun))
	}
	return cmd
}

func printReport(w io.Writer, out string, report site.Report, took time.Duration) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "bytes\tbrotli\tgzip\t")
	for _, f := range report.Files {
		fmt.Fprintf(t, "%d\t%d\t%d\t  %s\n", f.Raw, f.Brotli, f.Gzip, f.Name)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "Build %s is in %s (%.1f s).\n", report.Hash, out, took.Seconds())
	return err
}
